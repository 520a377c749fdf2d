"""One attempt with a plan: whether the model accepts it, and what its error shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException

from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.sizes import own_sizes
from shapecheck.harness.inputs.values import Arguments
from shapecheck.harness.search.call_recorder import CallRecorder
from shapecheck.harness.subject import Subject
from shapecheck.runtime.errors import ShapeError
from shapecheck.runtime.guards.places import SourceLocation, place_of_error
from shapecheck.runtime.guards.refusals import code_of
from shapecheck.spec.errors import AnnotationError

DATA_DEPENDENT_ERRORS = (DataDependentOutputException, DynamicOutputShapeException)
"""Errors of FakeTensor for operators whose results' sizes, or whose control flow, depend on data."""
_NUMBER = re.compile(r"(?<![A-WYZa-wyz_.\d])\d+(?![A-WYZa-wyz_.\d])")  # also both of "27x320"


@dataclass
class Attempt:
    """The outcome of a call under a plan. progress: the number of operators that were called before it ended."""

    plan: InputPlan
    given: Arguments
    output: Any = None
    error: Exception | None = None
    progress: int = 0
    limits: Mapping[str, int] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    starts: Mapping[str, int] = field(default_factory=dict)
    weights: frozenset[int] = frozenset()
    """Sizes of the model's own tensors among the arguments of the last operator."""
    changes_arguments: bool = False
    """Whether the call has modified a tensor among its arguments."""

    @property
    def numbers(self) -> list[int]:
        """The sizes that its error names, in order."""
        return list(dict.fromkeys(int(number) for number in _NUMBER.findall(str(self.error or ""))))

    @property
    def breaks_contract(self) -> bool:
        """Whether the model violates an annotation."""
        return isinstance(self.error, ShapeError)

    @property
    def is_final(self) -> bool:
        """Whether no other size would help: a wrong result, an axis that is not generated, a None.

        The requirements of an inner function on its arguments are inferred, like those of a layer.
        """
        if not isinstance(self.error, ShapeError):
            return self.error is not None and (
                isinstance(self.error, (AnnotationError, AttributeError, NameError, *DATA_DEPENDENT_ERRORS))
                or (isinstance(self.error, TypeError) and "NoneType" in str(self.error))
                or code_of(self.error) in ("non-contiguous", "dtype-mismatch")
            )
        return self.error.path.startswith("return") or self.error.actual not in self.plan.sizes.values()

    @property
    def place(self) -> SourceLocation | None:
        """The line of the failure."""
        return None if self.error is None else place_of_error(self.error)


def attempt(subject: Subject, plan: InputPlan) -> Attempt:
    """Calls the model under a plan. Raises CaseError if no arguments can be generated."""
    given = subject.arguments(plan)
    constants = (*subject.model.parameters(), *subject.model.buffers())
    watch = CallRecorder(integers(given), constants, subject.attributes)
    versions = _versions(given)
    output, failure = None, None
    try:
        with watch:
            output = subject.call(given)
    except Exception as error:
        failure = error
    numbers = frozenset(watch.numbers) | _layer_sizes(failure)
    return Attempt(
        plan=plan,
        given=given,
        output=output,
        error=failure,
        progress=watch.count,
        limits=watch.limits,
        lengths=watch.lengths,
        starts=watch.starts,
        weights=numbers,
        changes_arguments=_versions(given) != versions,
    )


def _versions(given: Arguments) -> list[int]:
    """The version counters of the tensors among the arguments."""
    return [one._version for one in tensors(given.named).values()]


def _layer_sizes(error: Exception | None) -> frozenset[int]:
    """The sizes of the torch layer that raised an error itself."""
    trace = None if error is None else error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    layer = None if trace is None else trace.tb_frame.f_locals.get("self")
    if not isinstance(layer, nn.Module) or not type(layer).__module__.startswith("torch."):
        return frozenset()
    return own_sizes(layer)


def integers(given: Arguments) -> dict[str, Tensor]:
    """The integer tensors among the arguments, by place."""
    return {
        place: tensor
        for place, tensor in tensors(given.named).items()
        if not tensor.dtype.is_floating_point and not tensor.dtype.is_complex
    }


def tensors(value: Any, place: str = "") -> dict[str, Tensor]:
    """The tensors in a value, by place: `x`, `xs[]`, `batch.image`; the last one of a list represents all."""
    found: dict[str, Tensor] = {}
    if isinstance(value, Tensor):
        found[place] = value
    elif isinstance(value, dict):
        for name, item in value.items():
            found |= tensors(item, f"{place}[]" if place else str(name))
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        for index, item in enumerate(value):
            found |= tensors(item, f"{place}[{index}]")
    elif isinstance(value, list):
        for item in value:
            found |= tensors(item, f"{place}[]")
    elif hasattr(value, "__dataclass_fields__") or hasattr(value, "_fields"):
        for name in getattr(value, "__dataclass_fields__", None) or value._fields:
            found |= tensors(getattr(value, name, None), f"{place}.{name}")
    return found
