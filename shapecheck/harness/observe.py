"""The module tree, the lines and the cost of the reference run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.contract import written
from shapecheck.harness.cost import Training, cost_of, in_training
from shapecheck.harness.cost.module_times import module_seconds
from shapecheck.harness.probe import Probe, Profiled
from shapecheck.harness.results import CaseResult, LineRecord, ModuleRecord
from shapecheck.project.files import display_path
from shapecheck.runtime.guards.places import SourceLocation

_HERE = "the host waits for the device here"


def observe(context: CheckContext, result: CaseResult) -> CaseResult:
    """The result with the observations of a probe in one more forward, called as in `called`."""
    subject = context.subject
    given = subject.arguments(context.plan)

    def call() -> Any:
        return subject.call(given)

    probe, training = _observed(context.model, call)
    timed = context.options.timed and not context.is_fake
    seconds = module_seconds(context.model, call, subject.device) if timed else {}
    return replace(
        result,
        modules=tuple(
            replace(_annotated(context.model, one), seconds=seconds.get(one.path)) for one in probe.modules()
        ),
        lines=tuple(replace(one, path=_shown(one.path)) for one in (*probe.lines(), *_inside(context, call))),
        cost=cost_of(context.model, call, subject.device, probe, backward=training or True),
        diagnostics=tuple(_sync(context, one) for one in probe.lines() if one.kind == "sync"),
    )


def _observed(model: nn.Module, call: Callable[[], Any]) -> tuple[Probe, Training | None]:
    """A probe that has observed a forward, and what that forward saves for backward, if this can be watched."""
    probe = Probe(model)
    with suppress(Exception):
        return probe, in_training(model, call, probe)
    with Probe(model) as probe:
        call()
    return probe, None


def _inside(context: CheckContext, call: Callable[[], Any]) -> tuple[LineRecord, ...]:
    """Copies that operators make themselves, if requested."""
    if not context.options.profile or context.is_fake:
        return ()
    with Profiled(context.model) as inside:
        call()
    return inside.lines()


def _annotated(model: nn.Module, record: ModuleRecord) -> ModuleRecord:
    kind = type(model.get_submodule(record.path))
    return replace(record, file=_shown(record.file), annotation=written(kind))


def _shown(path: str) -> str:
    return display_path(Path(path)) if path else ""


def _sync(context: CheckContext, line: LineRecord) -> Diagnostic:
    """Only a note: some programs must read their results."""
    times = f", {line.count} times" if line.count > 1 else ""
    return context.finding(
        "host-sync", f"{_HERE}: {line.operator}{times}", SourceLocation(line.path, line.line), module=line.module
    )
