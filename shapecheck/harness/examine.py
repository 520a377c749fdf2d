"""Inside a worker process: imports a target, and examines one of its cases."""

from __future__ import annotations

import importlib
import re
import sys
import time
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.cases.find import find_cases
from shapecheck.harness.cases.model import Case, CaseError, Target
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checkpoint import load
from shapecheck.harness.checks.table import Check, Skip, all_checks
from shapecheck.harness.faults import at, diagnosis, is_out_of_memory, raises
from shapecheck.harness.formatting import format_bytes, with_type_name
from shapecheck.harness.observe import observe
from shapecheck.harness.program_packages import packages_of_program
from shapecheck.harness.results import CaseResult, CheckResult, Status
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.search.attempt import HANGS_ON_DATA, tensors
from shapecheck.harness.search.search import search
from shapecheck.harness.subject import Subject, make
from shapecheck.project.files import display_path
from shapecheck.runtime import install_import_hook
from shapecheck.runtime.guards.call import shown
from shapecheck.runtime.guards.places import SourceLocation, place_of_error

_DEFINES = re.compile(r"\s*((async\s+)?def\b|class\b|@)")
_HANGS_ON_DATA = "what it does hangs on the data, and it was asked without"


def list_cases(target: Target) -> list[CaseResult]:
    """The cases of a target: names, places, and why those that are not to be run are not.

    Raises whatever the import of the target does, SystemExit among it.
    """
    return [
        replace(_result(case), outcome=Status.SKIPPED if case.reason else Status.PASSED, detail=case.reason)
        for case in _cases(target)
    ]


def examine(target: Target, name: str, wishes: RunOptions) -> CaseResult:
    """Builds and runs one case, with all its checks. KeyError where there is none of that name."""
    asked = replace(target, only=target.only or name.rpartition(":")[2].partition("[")[0])
    case = next((one for one in _cases(asked) if one.name == name), None)
    if case is None:
        raise KeyError(name)
    return examined(case, wishes)


def examined(case: Case, wishes: RunOptions) -> CaseResult:
    """Builds and runs a case, with all its checks."""
    began = time.perf_counter()
    if case.declared.device:
        wishes = replace(wishes, device=case.declared.device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = _Examination(case, wishes).result()
    return replace(result, seconds=time.perf_counter() - began, device=wishes.device, seed=wishes.seed)


def _cases(target: Target) -> list[Case]:
    return find_cases(_imported(target), target.configured, target.only)


def _imported(target: Target) -> types.ModuleType:
    """The module of a target; its annotations are checked, and those of all that the program imports of itself."""
    if target.module in sys.modules:
        return sys.modules[target.module]
    root = str(target.root)
    if root not in sys.path:
        sys.path.insert(0, root)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package that another file of it has brought in
        install_import_hook(packages_of_program(target))
    return importlib.import_module(target.module)


def _result(case: Case) -> CaseResult:
    device = case.declared.device or "cpu"
    return CaseResult(case.name, display_path(case.file), case.line, Status.PASSED, device=device)


def _no_memory(wishes: RunOptions) -> str:
    most = "there is" if wishes.memory_bytes is None else f"the {format_bytes(wishes.memory_bytes)} there are"
    return f"it needs more memory than {most} for it: run it with --device fake, which needs none, or raise --memory"


class _Examination:
    """One case from its construction to its result."""

    def __init__(self, case: Case, wishes: RunOptions) -> None:
        self.case = case
        self.wishes = wishes
        self.found: dict[tuple[str, int, str], Diagnostic] = {}

    def result(self) -> CaseResult:
        base = _result(self.case)
        try:
            subject = self._built()
            with _exactly(subject.device):
                learnt = search(subject)
        except CaseError as why:
            return replace(base, outcome=Status.UNBUILT, detail=str(why))
        except Exception as error:
            if is_out_of_memory(error):
                return replace(base, outcome=Status.ENDED, detail=_no_memory(self.wishes))
            if isinstance(error, HANGS_ON_DATA):
                return replace(base, outcome=Status.SKIPPED, detail=f"{_HANGS_ON_DATA}: {error}")
            self._tell(self._raised(error))
            return self._judged(base)
        if learnt.last.error is not None and is_out_of_memory(learnt.last.error):
            return replace(base, outcome=Status.ENDED, detail=_no_memory(self.wishes))
        if isinstance(learnt.last.error, HANGS_ON_DATA):
            return replace(base, outcome=Status.SKIPPED, detail=f"{_HANGS_ON_DATA}: {learnt.last.error}")
        if learnt.last.error is not None and raises(learnt.last.error):
            return replace(base, outcome=Status.UNBUILT, detail=_refusal(learnt.last.error))
        trial = CheckContext(subject, learnt, self.wishes)
        with _exactly(subject.device):
            checks = tuple(self._asked(trial, check) for check in self._wanted())
        base = replace(
            base,
            sizes=dict(learnt.plan.sizes),
            learnt=_words(trial),
            inputs={place: shown(tensor) for place, tensor in tensors(learnt.last.given.named).items()},
            outputs=tuple(shown(tensor) for tensor in trial.outputs()),
            checks=checks,
        )
        return self._judged(self._observed(trial, base) if learnt.fits else base)

    def _observed(self, trial: CheckContext, result: CaseResult) -> CaseResult:
        """The result with module tree and cost; without, where watching the model is more than it bears."""
        try:
            result = observe(trial, result)
        except Exception as error:
            why = CheckResult("cost", Status.SKIPPED, with_type_name(error))
            return replace(result, checks=(*result.checks, why))
        for one in result.diagnostics:
            self._tell(one)
        return result

    def _judged(self, result: CaseResult) -> CaseResult:
        failed = any(one.severity is not Severity.NOTE for one in self.found.values())
        return replace(
            result, outcome=Status.FAILED if failed else Status.PASSED, diagnostics=tuple(sorted(self.found.values()))
        )

    def _built(self) -> Subject:
        fake = self.wishes.device == "fake"
        device = torch.device("cpu" if fake else self.wishes.device)
        subject = make(self.case, device, self.wishes.seed, fake)
        if self.case.declared.checkpoint is not None:
            for one in load(subject, self.case.file.parent / self.case.declared.checkpoint):
                self._tell(one)
            subject.keep()
        return subject

    def _raised(self, error: Exception) -> Diagnostic:
        """What its constructor raised."""
        place = place_of_error(error) or SourceLocation(str(self.case.file), self.case.line)
        found = at(place, "failed-run", f"it cannot be built: {with_type_name(error)}")
        return replace(found, case=self.case.name)

    def _wanted(self) -> Iterator[Check]:
        without = {*self.wishes.skip, *self.case.declared.skip}
        for check in all_checks():
            chosen = not self.wishes.checks or check.name in (*self.wishes.checks, "contract")
            if chosen and check.wanted(self.wishes) and check.name not in without:
                yield check

    def _asked(self, trial: CheckContext, check: Check) -> CheckResult:
        began = time.perf_counter()
        trial.notes.clear()
        outcome, detail = self._outcome(trial, check)
        return CheckResult(check.name, outcome, detail or "; ".join(trial.notes), time.perf_counter() - began)

    def _outcome(self, trial: CheckContext, check: Check) -> tuple[Status, str]:
        if check.order and not trial.learnt.fits:
            return Status.SKIPPED, "the reference run failed"
        if check.needs_data and trial.is_fake:
            return Status.SKIPPED, "it needs data"
        worst = Status.PASSED
        try:
            for one in check.ask(trial):
                trial.told.add(one.code)
                if self._tell(one) and one.severity is not Severity.NOTE:
                    worst = Status.FAILED
        except Skip as why:
            return Status.SKIPPED, str(why)
        except CaseError as why:
            return Status.SKIPPED, str(why)
        except Exception as error:
            if is_out_of_memory(error):
                return Status.SKIPPED, _no_memory(self.wishes)
            found = diagnosis(trial.subject, error, trial.module_of(error), f"in the check {check.name}")
            return (Status.FAILED if self._tell(found) else worst), ""
        finally:
            trial.model.eval()
        return worst, ""

    def _tell(self, one: Diagnostic) -> bool:
        """Each line once: what a later check finds there follows from what an earlier one has said.

        The `def` of a forward stands for all of it, so there each code is told once. False where a comment on the line
        silences the code.
        """
        place = SourceLocation(one.path, one.line)
        if place.is_silenced(one.code):
            return False
        key = (one.path, one.line, one.code if _DEFINES.match(place.text) else "")
        known = self.found.get(key)
        if known is None or known.severity is Severity.NOTE:
            self.found[key] = one
        return True


@contextmanager
def _exactly(device: torch.device) -> Iterator[None]:
    """On a GPU without TF32, whose ten bits would make a row alone another result than the same row of a batch."""
    if device.type != "cuda":
        yield
        return
    cudnn, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    before = cudnn.allow_tf32, matmul.allow_tf32
    cudnn.allow_tf32 = matmul.allow_tf32 = False
    try:
        yield
    finally:
        cudnn.allow_tf32, matmul.allow_tf32 = before


def _refusal(error: Exception) -> str:
    """Why the program does not run the model as it was built."""
    mend = "@shapecheck.case(kwargs=..., dims=..., inputs=...) gives it what it needs"
    return f"its forward raises {with_type_name(error)}: {mend}"


def _words(trial: CheckContext) -> dict[str, str]:
    """What the model asks of sizes that its annotations leave free."""
    found = {name: str(size) for name, size in trial.learnt.sizes.items()}
    found |= {name: f"{number} and larger" for name, number in trial.learnt.least.items()}
    return found | {name: f"a multiple of {number}" for name, number in trial.learnt.multiples.items()}
