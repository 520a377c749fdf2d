"""A model that is constructed on `meta` gets all its values from the methods that initialize it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.cases.build import build
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import first_line, listed
from shapecheck.harness.inputs.specification import attribute
from shapecheck.harness.layer_definition import find_definition
from shapecheck.runtime.guards.places import is_of_program

_METHODS = ("reset_parameters", "init_weights")


@check(86, needs_data=True)
def meta(context: CheckContext) -> Iterator[Diagnostic]:
    """`to_empty`, then the methods; tensors that they do not write still have the values from before."""
    if context.subject.case.built or not any(_is_of_program(type(context.model), name) for name in _METHODS):
        raise Skip("class of the model is that of a library or defines neither reset_parameters() nor init_weights()")
    try:
        with torch.device("meta"):
            model = build(context.subject.case)
        if any(is_lazy(one) for one in model.parameters()):
            raise Skip("parameters are lazy")
        model.to_empty(device=context.subject.device)
        _fill(model)
        for method in _initializers(model):
            method()
    except Skip:
        raise
    except Exception as error:
        raise Skip(f"model cannot be constructed on meta: {first_line(error)}") from None
    missing = [
        name for name, one in _tensors(model) if one.is_floating_point() and one.numel() and bool(one.isnan().all())
    ]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        message = f"{listed(missing)} {verb} not initialized by reset_parameters() or init_weights() after to_empty()"
        place, owner = find_definition(context.model, missing[0]) or (None, "")
        yield context.finding("uninitialized-parameter", message, place, module=owner)


def _tensors(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    yield from model.named_parameters()
    yield from model.named_buffers()


def _fill(model: nn.Module) -> None:
    with torch.no_grad():
        for _, one in _tensors(model):
            one.fill_(float("nan")) if one.is_floating_point() else one.zero_()


def _is_of_program(kind: type, name: str) -> bool:
    """Whether a class of the program, not of a library, defines the method."""
    code = getattr(inspect.unwrap(getattr(kind, name, len)), "__code__", None)
    return code is not None and is_of_program(code.co_filename)


def _initializers(model: nn.Module) -> Iterator[Callable[[], Any]]:
    """The methods of the modules, inner ones first, that need no arguments."""
    for module in reversed(list(model.modules())):
        for name in _METHODS:
            method = attribute(module, name)
            if callable(method) and _needs_nothing(method):
                yield method


def _needs_nothing(method: Callable[..., Any]) -> bool:
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(
        one.default is not one.empty or one.kind in rest for one in inspect.signature(method).parameters.values()
    )
