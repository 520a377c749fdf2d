"""Inside a worker process: imports a target, and examines one of its cases."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

import torch

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness import inference
from shapecheck.harness.cases.build import constructor_of, has_assumed_arguments
from shapecheck.harness.cases.model import NO_SHAPES, Case, CaseError, Target
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checkpoint import load
from shapecheck.harness.checks.table import Check, Skip, all_checks
from shapecheck.harness.faults import diagnose, diagnostic_at, is_deliberate, is_out_of_memory
from shapecheck.harness.formatting import format_bytes, with_type_name
from shapecheck.harness.load_cases import load_case, load_cases
from shapecheck.harness.observe import observe
from shapecheck.harness.results import CaseResult, CheckResult, Status
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.search.attempt import DATA_DEPENDENT_ERRORS, tensors
from shapecheck.harness.search.known import search_known
from shapecheck.harness.search.search import search
from shapecheck.harness.search.size_constraints import SizeConstraints
from shapecheck.harness.subject import Subject, build_subject
from shapecheck.harness.wrap import WrapError, group
from shapecheck.project.files import display_path
from shapecheck.runtime.guards.call import shown
from shapecheck.runtime.guards.places import SourceLocation, place_of_error

_DEFINES = re.compile(r"\s*((async\s+)?def\b|class\b|@)")
_DATA_DEPENDENT = "forward depends on the values of its inputs, which device fake does not have"


def list_cases(target: Target) -> list[CaseResult]:
    """The cases of a target: their names and places, and why some of them are not run.

    Raises any exception of the target's import, including SystemExit.
    """
    return [
        replace(_result(case), outcome=Status.SKIPPED if case.reason else Status.PASSED, detail=case.reason)
        for case in load_cases(target)
    ]


def examine(target: Target, name: str, options: RunOptions) -> CaseResult:
    """Builds and runs one case, with all its checks. Raises KeyError if there is none of that name."""
    return examined(load_case(target, name), options)


def examined(case: Case, options: RunOptions) -> CaseResult:
    """Builds and runs a case, with all its checks."""
    began = time.perf_counter()
    if case.declared.device:
        options = replace(options, device=case.declared.device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with _group_of_one(options):
            result = _Examination(case, options).result()
    return replace(result, seconds=time.perf_counter() - began, device=options.device, seed=options.seed)


@contextmanager
def _group_of_one(options: RunOptions) -> Iterator[None]:
    """A process group of this process, for models that communicate in their forward; none without `--ranks`."""
    with ExitStack() as stack:
        if options.ranks and not options.wrap:
            with suppress(WrapError):  # the program has its own
                stack.enter_context(group(torch.device("cpu")))
        yield


def _result(case: Case) -> CaseResult:
    device = case.declared.device or "cpu"
    return CaseResult(case.name, display_path(case.file), case.line, Status.PASSED, device=device)


def _no_memory(options: RunOptions) -> str:
    limit = "memory than is" if options.memory_bytes is None else f"than the {format_bytes(options.memory_bytes)}"
    return f"needs more {limit} available; use --device fake or raise --memory"


def _not_run(result: CaseResult, error: Exception, options: RunOptions) -> CaseResult | None:
    """The result for an error that is not one of the program; None for others."""
    if is_out_of_memory(error):
        return replace(result, outcome=Status.ENDED, detail=_no_memory(options))
    if isinstance(error, DATA_DEPENDENT_ERRORS):
        return replace(result, outcome=Status.SKIPPED, detail=f"{_DATA_DEPENDENT}: {error}")
    return None


class _Examination:
    """One case from its construction to its result."""

    def __init__(self, case: Case, options: RunOptions) -> None:
        self.case = case
        self.options = options
        self.found: dict[tuple[str, int, str], Diagnostic] = {}

    def result(self) -> CaseResult:
        base = _result(self.case)
        try:
            subject, constraints = self._searched()
        except CaseError as why:
            unprepared = str(why) == NO_SHAPES
            return replace(base, outcome=Status.SKIPPED if unprepared else Status.UNBUILT, detail=str(why))
        except Exception as error:
            return self._without_subject(base, error)
        base = replace(
            base,
            constructor=constructor_of(subject.case),
            inputs_from=inference.inputs_origin(subject, self.options),
        )
        failure = constraints.last.error
        stopped = None if failure is None else _not_run(base, failure, self.options)
        if failure is not None and stopped is None and is_deliberate(failure):
            stopped = replace(base, outcome=Status.UNBUILT, detail=_forward_failure(failure))
        if stopped is not None:
            return stopped
        context = CheckContext(subject, constraints, self.options)
        with _without_tf32(subject.device):
            checks = tuple(self._run_check(context, check) for check in self._selected_checks())
        base = replace(
            base,
            sizes=dict(constraints.plan.sizes),
            learnt=_constraint_texts(context),
            inputs={place: shown(tensor) for place, tensor in tensors(constraints.last.given.named).items()},
            outputs=tuple(shown(tensor) for tensor in context.outputs()),
            checks=checks,
            shards=tuple(context.shards),
        )
        return self._finished(context, base)

    def _searched(self) -> tuple[Subject, SizeConstraints]:
        """The model and the inputs that it accepts; if it accepts none, it is built in the next way."""
        for case in self.case.alternatives:
            with suppress(Exception):  # the next way reports why
                return self._search(case)
        return self._search(self.case)

    def _search(self, case: Case) -> tuple[Subject, SizeConstraints]:
        subject = self._build(case)
        with _without_tf32(subject.device):
            if subject.needs_inputs:
                return subject, search_known(subject)
            return subject, search(subject, aligns=inference.is_inferred(subject, self.options))

    def _without_subject(self, result: CaseResult, error: Exception) -> CaseResult:
        """The result for an exception of the constructor."""
        stopped = _not_run(result, error, self.options)
        if stopped is not None:
            return stopped
        if self.case.built or has_assumed_arguments(self.case):
            return replace(result, outcome=Status.UNBUILT, detail=f"cannot build the model: {with_type_name(error)}")
        self._report(self._construction_failure(error))
        return self._with_status(result)

    def _finished(self, context: CheckContext, result: CaseResult) -> CaseResult:
        if context.constraints.fits:
            return self._with_status(self._with_observations(context, result))
        result = self._with_status(result)
        if context.reference.breaks_contract or not inference.is_inferred(context.subject, self.options):
            return result
        return replace(result, outcome=Status.UNBUILT, detail="no call works with the inferred annotations")

    def _with_observations(self, context: CheckContext, result: CaseResult) -> CaseResult:
        """The result with module tree and cost; without them if the model cannot be observed."""
        try:
            result = observe(context, result)
        except Exception as error:
            why = CheckResult("cost", Status.SKIPPED, with_type_name(error))
            return replace(result, checks=(*result.checks, why))
        for one in result.diagnostics:
            self._report(one)
        return result

    def _with_status(self, result: CaseResult) -> CaseResult:
        failed = any(one.severity is not Severity.NOTE for one in self.found.values())
        return replace(
            result, outcome=Status.FAILED if failed else Status.PASSED, diagnostics=tuple(sorted(self.found.values()))
        )

    def _build(self, case: Case) -> Subject:
        fake = self.options.device == "fake"
        device = torch.device("cpu" if fake else self.options.device)
        subject = build_subject(case, device, self.options.seed, fake)
        if self.case.declared.checkpoint is not None:
            for one in load(subject, self.case.file.parent / self.case.declared.checkpoint):
                self._report(one)
            subject.save_buffers()
        return subject

    def _construction_failure(self, error: Exception) -> Diagnostic:
        """The finding for an exception of the constructor."""
        place = place_of_error(error) or SourceLocation(str(self.case.file), self.case.line)
        found = diagnostic_at(place, "failed-run", f"cannot build the model: {with_type_name(error)}")
        return replace(found, case=self.case.name)

    def _selected_checks(self) -> Iterator[Check]:
        without = {*self.options.skip, *self.case.declared.skip}
        for check in all_checks():
            chosen = not self.options.checks or check.name in (*self.options.checks, "contract")
            if chosen and check.wanted(self.options) and check.name not in without:
                yield check

    def _run_check(self, context: CheckContext, check: Check) -> CheckResult:
        began = time.perf_counter()
        context.notes.clear()
        outcome, detail = self._outcome(context, check)
        return CheckResult(check.name, outcome, detail or "; ".join(context.notes), time.perf_counter() - began)

    def _outcome(self, context: CheckContext, check: Check) -> tuple[Status, str]:
        if check.order and not context.constraints.fits:
            return Status.SKIPPED, "reference run failed"
        if check.needs_data and context.is_fake:
            return Status.SKIPPED, "no values on device fake"
        worst = Status.PASSED
        try:
            for found in check.run(context):
                one = inference.judged(found, context.subject, check.name, self.options)
                if one is None:
                    continue
                context.reported_codes.add(one.code)
                if self._report(one) and one.severity is not Severity.NOTE:
                    worst = Status.FAILED
        except (Skip, CaseError) as why:
            return Status.SKIPPED, str(why)
        except DATA_DEPENDENT_ERRORS:
            return Status.SKIPPED, _DATA_DEPENDENT
        except Exception as error:
            if is_out_of_memory(error):
                return Status.SKIPPED, _no_memory(self.options)
            found = diagnose(context.subject, error, context.module_of(error), f"in the check {check.name}")
            return (Status.FAILED if self._report(found) else worst), ""
        finally:
            context.model.eval()
        return worst, ""

    def _report(self, one: Diagnostic) -> bool:
        """Adds a finding, one per line: later findings at a line follow from the first.

        The `def` of a forward represents all of it, so there each code is added once. Returns False if a comment on the
        line suppresses the code.
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
def _without_tf32(device: torch.device) -> Iterator[None]:
    """Disables TF32 on a GPU: with its ten bits, a row on its own would differ from the same row of a batch."""
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


def _forward_failure(error: Exception) -> str:
    """Why the program rejects the model as it was built."""
    advice = "set its arguments with @shapecheck.case(kwargs=..., dims=..., inputs=...)"
    return f"forward raises {with_type_name(error)}; {advice}"


def _constraint_texts(context: CheckContext) -> dict[str, str]:
    """What the model requires of sizes that its annotations do not fix."""
    found = {name: str(size) for name, size in context.constraints.sizes.items()}
    found |= {name: f"at least {number}" for name, number in context.constraints.least.items()}
    return found | {name: f"a multiple of {number}" for name, number in context.constraints.multiples.items()}
