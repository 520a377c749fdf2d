"""The backward of each autograd.Function of the program computes the derivative of its forward."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.function_calls import FunctionCall, calls_of_functions
from shapecheck.harness.numerical_gradient import WrongGradient, wrong_gradient


@check(72, needs_data=True, wanted=lambda options: "gradcheck" in options.checks)
def gradcheck(context: CheckContext) -> Iterator[Diagnostic]:
    """`torch.autograd.gradcheck` of the first call of each function, in float64."""
    with torch.enable_grad(), calls_of_functions() as calls:
        context.subject.call(context.subject.arguments(context.plan))
    if not calls:
        raise Skip("program has no autograd.Function that needs a gradient")
    for call in calls.values():
        try:
            found = wrong_gradient(call)
        except Exception as error:  # it requires another dtype or device
            context.notes.append(f"{call.function.__name__}: {with_type_name(error)}")
            continue
        if found is not None:
            yield context.finding("wrong-gradient", _message(call, found), call.place_of_backward())


def _message(call: FunctionCall, found: WrongGradient) -> str:
    gradient = "missing" if found.computed is None else f"{found.computed:.4g}"
    name = f"{call.function.__name__}.backward"
    return f"{name}: the gradient of {found.argument} is {gradient} for an element, expected {found.expected:.4g}"
