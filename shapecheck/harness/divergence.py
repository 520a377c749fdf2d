"""The line at which two runs of a model begin to differ."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller

Differs = Callable[[Tensor, Tensor], bool]


class Step(NamedTuple):
    """One call of an operator: its name, its line, the path of the calling module, and its results."""

    name: str
    place: SourceLocation
    module: str
    results: list[Tensor]


def first_difference(
    context: CheckContext, one: Callable[[], Any], other: Callable[[], Any], differs: Differs
) -> Step | None:
    """Runs both, and returns the first operator whose results differ; None if none does.

    The runs must not include the generation of the arguments.

    Every result is kept, so use it only when they are known to differ. The runs are compared as long as both call the
    same operators.
    """
    for left, right in zip(steps(context, one), steps(context, other), strict=False):
        if left.name != right.name:
            return None
        if any(differs(here, there) for here, there in zip(left.results, right.results, strict=False)):
            return left
    return None


def divergence_diagnostic(context: CheckContext, code: str, message: str, step: Step | None) -> Diagnostic:
    """The finding at an operator; at the `def` of forward if there is none."""
    if step is None:
        return context.finding(code, message)
    return context.finding(code, message, step.place, module=step.module)


def steps(context: CheckContext, run: Callable[[], Any]) -> list[Step]:
    """Each call of an operator that returned tensors, in order."""
    watch = _Record(context.paths)
    with watch:
        run()
    return watch.steps


class _Record(TorchFunctionMode):
    def __init__(self, paths: Mapping[int, str]) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self._paths = paths

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        result = func(*args, **(kwargs or {}))
        with torch._C.DisableTorchFunction():
            kept = [one.detach().clone() for one in flat(result)]
        if kept:
            name, frame = getattr(func, "__name__", str(func)), inspect.currentframe()
            self.steps.append(Step(name, place_of_caller(frame), module_of_frame(self._paths, frame), kept))
        return result


def module_of_frame(paths: Mapping[int, str], frame: FrameType | None) -> str:
    """The path of the innermost module that is running. paths: those of all modules, by identity."""
    while frame is not None:
        path = paths.get(id(frame.f_locals.get("self")))
        if path is not None:
            return path
        frame = frame.f_back
    return ""
