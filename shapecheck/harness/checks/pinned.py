"""Sizes that the annotation leaves variable and that a parameter or buffer fixes, such as a table of positions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.inference import is_inferred
from shapecheck.harness.inputs.primes import primes
from shapecheck.harness.inputs.sizes import own_sizes
from shapecheck.harness.layer_definition import find_definition
from shapecheck.harness.search.attempt import Attempt, tensors
from shapecheck.harness.search.failed_operator import FailedOperator
from shapecheck.harness.search.search import attempt_with_values
from shapecheck.project.files import display_path
from shapecheck.spec import Shape

_RANK_OF_IMAGES = 4
_CHANNEL_LAYERS = ("conv", "batchnorm", "instancenorm")
"""Modules of torch.nn whose layers take their features from the second axis."""


@check(12)
def pinned(context: CheckContext) -> Iterator[Diagnostic]:
    """The operator that fails with another size shows which tensor is the reason."""
    if is_inferred(context.subject, context.options):
        return
    names: dict[str, list[str]] = {}
    for name in _candidates(context):
        reason = _reason(context, name)
        if reason:
            names.setdefault(reason, []).append(name)
    if names:
        sizes = context.plan.sizes
        every = ", ".join(name for group in names.values() for name in group)
        only = "; ".join(
            f"{', '.join(f'{name}={sizes[name]}' for name in group)}, because of {reason}"
            for reason, group in names.items()
        )
        yield context.finding("pinned-size", f"the annotation allows any {every}, but the model accepts only {only}")


def _candidates(context: CheckContext) -> Iterator[str]:
    """Names with one size that neither the code nor the constructor of the model contains.

    A name that is also an attribute of the model was not searched, so that it has no origin.
    """
    constraints = context.constraints
    configured = inspect.signature(type(context.model).__init__).parameters
    for name in context.plan.sizes:
        if (
            name in constraints.sizes
            and name in constraints.origins
            and name not in constraints.hard_coded
            and name not in configured
        ):
            yield name


def _reason(context: CheckContext, name: str) -> str:
    """The tensors that fix the size, as text; empty if there are none, or another size works."""
    now = context.plan.sizes[name]
    other = next(primes(own_sizes(context.model) | set(context.plan.sizes.values()), now + 2))
    operands: tuple[str, ...] = ()
    for size in (other, now + 1, now - 1):
        if size < 1:
            continue
        tried = attempt_with_values(context.subject, context.plan.resized({name: size}))
        if tried.error is None or tried.breaks_contract or rejects_sizes(tried.error):
            return ""
        operands = operands or _operands(context, tried)
    own: dict[str, Tensor] = dict([*context.model.named_parameters(), *context.model.named_buffers()])
    wanted = [path for path in operands if now in own[path].shape] or [path for path in operands if own[path].dim() > 1]
    wanted = [path for path in wanted if not _is_bias_of(path, wanted)]
    if any(_is_features(context, name, path, own[path]) for path in wanted):
        return ""
    return " or ".join(_text(context, path, own[path]) for path in wanted)


def _is_bias_of(path: str, others: list[str]) -> bool:
    """Whether one of the others is the weight of the same layer."""
    return path.endswith("bias") and f"{path.removesuffix('bias')}weight" in others


def _operands(context: CheckContext, tried: Attempt) -> tuple[str, ...]:
    """The paths of the parameters and buffers among the arguments of the operator that failed."""
    failed = FailedOperator(context.model)
    try:
        with failed:
            context.subject.call(tried.given)
    except Exception as error:
        return failed.operands if error is failed.error else ()
    return ()


def _is_features(context: CheckContext, name: str, path: str, tensor: Tensor) -> bool:
    """Whether it is the axis of features or channels, of which a layer accepts one number by design.

    Tensors of integers and masks have no features.
    """
    owner = type(context.model.get_submodule(path.rpartition(".")[0])).__module__
    is_layer = owner.startswith("torch.")
    specification, given = context.subject.specification, tensors(context.reference.given.named)
    for place, array in specification.arrays(context.plan.absent):
        index, rank = specification.axis_of(place, array, name), len(array.axes.axes)
        if index is None or place not in given or not given[place].dtype.is_floating_point:
            continue
        if index == rank - 1:
            is_in_weight = context.plan.sizes[name] in tensor.shape and (is_layer or tensor.dim() <= 2)
            return rank < _RANK_OF_IMAGES or is_in_weight
        if index == 1 and (rank >= _RANK_OF_IMAGES or owner.rpartition(".")[2] in _CHANNEL_LAYERS):
            return True
    return False


def _text(context: CheckContext, path: str, tensor: Tensor) -> str:
    shape = f"{path} with shape {Shape(tuple(tensor.shape))}"
    found = find_definition(context.model, path)
    return shape if found is None else f"{shape} ({display_path(Path(found[0].path))}:{found[0].line})"
