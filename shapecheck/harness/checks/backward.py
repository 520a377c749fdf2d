"""Forward and backward: every parameter gets a gradient of its own shape and dtype."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import torch
from torch import nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.cuts import Cut, Cuts
from shapecheck.harness.trial import Trial, flat
from shapecheck.runtime.guards.places import Place


@check(70)
def backward(trial: Trial) -> Iterator[Diagnostic]:
    """The gradient of the sum of all results."""
    model = trial.model
    wanted = {name: one for name, one in model.named_parameters() if one.requires_grad}
    if not wanted:
        raise Skip("it has no parameters to train")
    given = trial.subject.arguments(trial.plan)
    model.zero_grad(set_to_none=True)
    watch = Cuts()
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


def _told(trial: Trial, wanted: dict[str, nn.Parameter], watch: Cuts) -> Iterator[Diagnostic]:
    for name, parameter in wanted.items():
        grad = parameter.grad
        if grad is not None and (grad.shape != parameter.shape or grad.dtype != parameter.dtype):
            yield trial.finding("missing-gradient", f"the gradient of {name} is {grad.dtype}{tuple(grad.shape)}")
    reasons: dict[tuple[Place, str, str], list[str]] = {}
    for name, parameter in wanted.items():
        is_used = id(parameter) in watch.used
        if parameter.grad is None and not (is_used and watch.differentiates):  # a bias has no part in a derivative
            reasons.setdefault(_reason(trial, name, watch.of(parameter), is_used), []).append(name)
    for (place, path, reason), names in reasons.items():
        listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        verb = "gets" if len(names) == 1 else "get"
        yield trial.finding("missing-gradient", f"{listed} {verb} no gradient: {reason}", place, module=path)


def _reason(trial: Trial, name: str, cut: Cut | None, is_used: bool) -> tuple[Place, str, str]:
    if cut is not None:
        return cut.place, "", f"{cut.function}() has none" if cut.is_choice else "what is computed here is cut off"
    place, path = _made_at(trial, name)
    return place, path, "what is made of it goes into no result" if is_used else "forward does not use it"


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
