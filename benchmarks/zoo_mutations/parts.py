"""What each part of shapecheck says of a model whose module has been changed."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import torch

import shapecheck
from benchmarks import measure
from benchmarks.zoo_mutations.library_copy import forget
from benchmarks.zoo_mutations.models import Model
from shapecheck.diagnostics import Severity
from shapecheck.harness.examine import examined
from shapecheck.harness.load_cases import load_cases
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions

SKIPPED = ("compiled",)
"""The check that compiles takes four fifths of the time."""
_TOKENS = 9


@dataclass(frozen=True)
class Said:
    """Findings as text, without lines. checks: those of `run` that have findings."""

    findings: tuple[str, ...]
    checks: tuple[str, ...] = ()

    def beyond(self, usual: Said) -> Said:
        """What is not said of the model without the mistake."""
        new = Counter(self.findings) - Counter(usual.findings)
        return Said(tuple(new.elements()), tuple(one for one in self.checks if one not in usual.checks))


def check(file: Path) -> Said:
    """The errors and warnings of `shapecheck check` in the file."""
    argv = [*measure.SHAPECHECK, "check", "--no-cache", "--jobs", "1", "--quiet", "--format", "json", str(file)]
    done = subprocess.run(argv, cwd=file.parent, env=measure.environment(), capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        raise SystemExit(f"shapecheck check gave no report:\n{done.stderr}") from None
    return Said(tuple(_text(one["code"], one["message"]) for one in found if one["severity"] != "note"))


def guards(model: Model) -> Said:
    """What a guard says of a call in evaluation and one in training, rejected calls included.

    For a process that does nothing else.
    """
    forget(model.module)
    with shapecheck.guard(severity="note") as watch:
        try:
            import_module(model.module)
            built = model.build()
            for training in (False, True):
                torch.manual_seed(0)
                model.call(built.train(training), 2, _TOKENS)
        except Exception as error:
            watch.refused(error)
    return Said(tuple(_text(one.code, one.message) for one in watch))


def run(model: Model, skipped: Iterable[str] = ()) -> Said:
    """The errors and warnings of `shapecheck run`, and why it cannot build the model.

    For a process that does nothing else.
    """
    forget(model.module)
    try:
        import_module(model.module)
        (case,) = load_cases(model.to_run())
    except Exception as error:
        return Said((_text("failed-import", str(error)),), ("import",))
    result = examined(case, RunOptions(skip=(*SKIPPED, *skipped)))
    findings = [_text(one.code, one.message) for one in result.diagnostics if one.severity is not Severity.NOTE]
    if result.outcome in (Status.UNBUILT, Status.ENDED):
        findings.append(_text("not-run", result.detail))
    return Said(tuple(findings), tuple(_failed(result)) or (("build",) if findings else ()))


def _failed(result: CaseResult) -> list[str]:
    return [one.name for one in result.checks if one.outcome is Status.FAILED]


def _text(code: str, message: str) -> str:
    return f"{' '.join(message.split())[:200]} [{code}]"
