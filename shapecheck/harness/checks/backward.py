"""Forward and backward: every parameter gets a gradient of its own shape and dtype."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.trial import Trial, flat
from shapecheck.runtime.guards.places import Place, place_of_caller


@check(70)
def backward(trial: Trial) -> Iterator[Diagnostic]:
    """The gradient of the sum of all results."""
    model = trial.model
    wanted = {name: one for name, one in model.named_parameters() if one.requires_grad}
    if not wanted:
        raise Skip("it has no parameters to train")
    given = trial.subject.arguments(trial.plan)
    model.zero_grad(set_to_none=True)
    watch = _Cuts()
    with torch.enable_grad(), watch:
        results = [
            one for one in flat(trial.subject.call(given)) if one.dtype.is_floating_point or one.dtype.is_complex
        ]
    results = [one for one in results if one.requires_grad]
    if not results:
        raise Skip("no result of it can be differentiated")
    try:
        with trial.subject.within():
            sum((one.abs().sum() if one.dtype.is_complex else one.float().sum()) for one in results).backward()  # type: ignore[union-attr]
        yield from _told(trial, wanted, watch)
    except Exception as error:
        yield trial.fault(error, "in backward")
    finally:
        model.zero_grad(set_to_none=True)


def _told(trial: Trial, wanted: dict[str, nn.Parameter], watch: _Cuts) -> Iterator[Diagnostic]:
    for name, parameter in wanted.items():
        grad = parameter.grad
        if grad is not None and (grad.shape != parameter.shape or grad.dtype != parameter.dtype):
            yield trial.finding("missing-gradient", f"the gradient of {name} is {grad.dtype}{tuple(grad.shape)}")
    missing = [name for name, parameter in wanted.items() if parameter.grad is None]
    if not missing:
        return
    listed = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    verb = "gets" if len(missing) == 1 else "get"
    if watch.places:
        yield trial.finding(
            "missing-gradient", f"{listed} {verb} no gradient: what is computed here is cut off", watch.places[0]
        )
        return
    place, path = _made_at(trial, missing[0])
    yield trial.finding("missing-gradient", f"{listed} {verb} no gradient: forward does not use it", place, module=path)


class _Cuts(TorchFunctionMode):
    """Notes the lines that take a tensor with a gradient and give one without."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[Place] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator as it is."""
        result = func(*args, **(kwargs or {}))
        if _is_cut(func, (args, kwargs), result):
            place = place_of_caller(inspect.currentframe())
            if place not in self.places:
                self.places.append(place)
        return result


def _is_cut(func: Any, given: Any, result: Any) -> bool:
    """Whether floats with a gradient went in, and floats without one came out."""
    if not isinstance(result, Tensor) or not result.dtype.is_floating_point or result.requires_grad:
        return False
    return any(one.requires_grad for one in flat(given)) and not _is_query(func)


_QUERIES = re.compile(
    r"zeros|ones|empty|full|rand|_like|__get__|__set__|size|stride|new_|sign|floor|ceil|round|isnan|allclose"
)


def _is_query(func: Any) -> bool:
    """Whether it reads an attribute, or only takes the shape of the tensor."""
    name = getattr(func, "__name__", "")
    owner = getattr(getattr(func, "__self__", None), "__name__", "")
    return _QUERIES.search(name) is not None and owner != "data"


def _made_at(trial: Trial, parameter: str) -> tuple[Place, str]:
    """The line of the program that makes the layer of a parameter, and the path of the module that owns it."""
    parts = parameter.split(".")
    for depth in range(len(parts) - 1, -1, -1):
        owner = trial.model.get_submodule(".".join(parts[:depth]))
        if type(owner).__module__.partition(".")[0] == "torch":
            continue
        try:
            lines, first = inspect.getsourcelines(type(owner))
        except (OSError, TypeError):
            continue
        for offset, line in enumerate(lines):
            if re.search(rf"\bself\.{parts[depth]}\b(\s*:[^=]+)?\s*=", line):
                return Place(inspect.getsourcefile(type(owner)) or "", first + offset), ".".join(parts[:depth])
    return trial.forward_place(), ""
