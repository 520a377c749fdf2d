"""A whole run: lists the cases of the targets, examines each in a process of its own, and makes the report.

It imports no torch, and no line of the program.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.cases.libraries.table import modules_to_preload
from shapecheck.harness.cases.model import Target
from shapecheck.harness.distributed import Share, gathered_json
from shapecheck.harness.results import CaseResult, RunReport, Status
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.show.progress import Advance, progress
from shapecheck.harness.work.findings import finding
from shapecheck.harness.work.limits import Limits
from shapecheck.harness.work.pool import Task, TaskPool, TaskResult
from shapecheck.harness.work.tasks import Listing, environment_of, examined, listing

_COMPILING = frozenset({"compiled", "fake"})
"""The checks that import torch's compiler."""


class RunError(Exception):
    """A run cannot start; the message is one line."""


@dataclass(frozen=True)
class ExecutionPlan:
    """How a run is executed. folders: directories to search for imports, in addition to each target's root.

    command: the arguments of the command line, for the report. bar: shows the progress.
    """

    jobs: int = 1
    folders: tuple[Path, ...] = ()
    command: tuple[str, ...] = ()
    share: Share = field(default_factory=Share)
    bar: Callable[[int], AbstractContextManager[Advance]] = progress


@dataclass
class RunResult:
    """The report, and what is not part of it. problems: targets that could not be run, with the reason."""

    report: RunReport
    problems: list[str] = field(default_factory=list)
    printed: dict[str, str] = field(default_factory=dict)
    """The output of the program, by case or file."""


@dataclass
class _Listed:
    """The cases of all targets, in order."""

    cases: list[tuple[Target, CaseResult]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    printed: dict[str, str] = field(default_factory=dict)


def run(targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan) -> RunResult:
    """Run all cases of the targets. Raises RunError if it cannot start."""
    began = time.monotonic()
    options = replace(options, device=plan.share.device(options.device))
    compiles = _wants({"compiled"}, options) and options.device != "fake"
    with TaskPool(plan.jobs, _wants(_COMPILING, options), modules_to_preload(targets), compiles) as pool:
        environment = _environment(pool, options, plan)
        listed = _list(pool, targets, options, plan)
        results = _examine(pool, listed, options, plan)
        if plan.share.size > 1:
            results = _all_gathered(pool, results)
    cases = _with_unique_names([results[index] for index in sorted(results)])
    problems = listed.problems + _named_not_run(listed, cases)
    report = RunReport(environment, tuple(cases), tuple(listed.diagnostics), time.monotonic() - began)
    return RunResult(report, problems, listed.printed)


def list_only(targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan) -> RunResult:
    """Find the cases without running them. Raises RunError if it cannot start."""
    began = time.monotonic()
    with TaskPool(plan.jobs, imported=modules_to_preload(targets)) as pool:
        environment = _environment(pool, replace(options, device="cpu"), plan)
        listed = _list(pool, targets, options, plan)
    cases = tuple(_with_unique_names([case for _, case in listed.cases]))
    report = RunReport(environment, cases, tuple(listed.diagnostics), time.monotonic() - began)
    return RunResult(report, listed.problems, listed.printed)


def agreed(code: int, share: Share) -> int:
    """The worst exit code of all ranks, once all are done: `torchrun` ends all of them when one fails."""
    if share.size == 1:
        return code
    with TaskPool(1) as pool:
        return max(msgspec.json.decode(_shared(pool, "exit codes", code), type=list[int]))


def is_runnable(case: CaseResult) -> bool:
    """Whether nothing is known that prevents a case from being run."""
    return case.outcome not in (Status.UNBUILT, Status.SKIPPED)


def _environment(pool: TaskPool, options: RunOptions, plan: ExecutionPlan) -> dict[str, Any]:
    task_result = pool.one(Task(environment_of, (options.device, plan.command), Limits(seconds=300)))
    if task_result.content is None:
        raise RunError(f"cannot use torch: {task_result.reason}")
    found: dict[str, Any] = msgspec.json.decode(task_result.content)
    _make_sure_of_device(options.device, found)
    about = {"device": options.device, "seed": options.seed, "threads": options.threads, "jobs": plan.jobs}
    return {**about, "ranks": plan.share.size, **found}


def _make_sure_of_device(device: str, environment: Mapping[str, Any]) -> None:
    kind, _, index = device.partition(":")
    if kind != "cuda":
        return
    torch = environment["versions"]["torch"]
    count = len(environment["cuda"]["devices"])
    if not count:
        build = environment["cuda"]["runtime"] or environment["cuda"]["hip"]
        why = "torch finds none" if build else "torch is built without CUDA"
        raise RunError(f"--device {device}: no GPU available ({why}, version {torch}); use cpu or fake")
    if int(index or 0) >= count:
        known = "cuda:0" if count == 1 else f"cuda:0 to cuda:{count - 1}"
        raise RunError(f"--device {device}: no such GPU; available: {known}")


def _wants(checks: Collection[str], options: RunOptions) -> bool:
    """Whether a run, not on a GPU, includes one of these checks."""
    asked = {one for one in checks if not options.checks or one in options.checks} - set(options.skip)
    return bool(asked) and not options.device.startswith("cuda")


def _limits(options: RunOptions) -> Limits:
    return Limits(options.seconds, options.memory_bytes, not options.device.startswith("cuda"))


def _list(pool: TaskPool, targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan) -> _Listed:
    task_results = _listings(pool, targets, options, plan)
    found = _Listed()
    for index, target in enumerate(targets):
        task_result = task_results[index]
        one = _no_listing(target, task_result) if task_result.content is None else _decoded(task_result.content)
        found.cases += [(target, case) for case in one.cases]
        found.diagnostics += one.diagnostics
        found.problems += [one.problem] if one.problem else []
        if one.diagnostics and task_result.printed.strip():
            found.printed[target.module] = task_result.printed
    found.diagnostics = _each_once(found.diagnostics)
    return found


def _listings(
    pool: TaskPool, targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan
) -> dict[int, TaskResult]:
    folders = tuple(map(str, plan.folders))
    tasks = [Task(listing, (target, folders), _limits(options), target.root) for target in targets]
    task_results: dict[int, TaskResult] = {}
    with plan.bar(len(tasks)) as advance:
        for index, task_result in pool.do(tasks, lambda index: advance.started(targets[index].module)):
            task_results[index] = task_result
            advance(targets[index].module, Status.ENDED if task_result.content is None else Status.PASSED)
    return task_results


def _each_once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """One finding for several files that cannot be imported for the same reason."""
    counts = Counter(diagnostics)
    return [_with_others(one, count - 1) for one, count in counts.items()]


def _with_others(one: Diagnostic, others: int) -> Diagnostic:
    if not others:
        return one
    files = "1 other file" if others == 1 else f"{others} other files"
    return replace(one, message=f"{one.message} (and {files} for the same reason)")


def _decoded(content: bytes) -> Listing:
    return msgspec.json.decode(content, type=Listing)


def _no_listing(target: Target, task_result: TaskResult) -> Listing:
    place = task_result.place or (str(target.file), 1)
    code = "internal-error" if task_result.is_fault else "failed-import"
    return Listing(diagnostics=(finding(place, code, f"import {_sentence(task_result)}"),))


def _sentence(task_result: TaskResult) -> str:
    return task_result.reason + (f"; {task_result.advice}" if task_result.advice else "")


def _examine(pool: TaskPool, listed: _Listed, options: RunOptions, plan: ExecutionPlan) -> dict[int, CaseResult]:
    """The results of this process's share, by the number of the case."""
    mine = plan.share.of(listed.cases)
    results = {index: case for index, (_, case) in mine if not is_runnable(case)}
    waiting = [(index, target, case) for index, (target, case) in mine if is_runnable(case)]
    folders = tuple(map(str, plan.folders))
    tasks = [
        Task(examined, (target, case, options, folders), _limits(options), target.root) for _, target, case in waiting
    ]
    with plan.bar(len(tasks)) as advance:
        for number, task_result in pool.do(tasks, lambda number: advance.started(waiting[number][2].name)):
            index, target, case = waiting[number]
            results[index] = _result(case, target, options, task_result)
            if task_result.printed.strip():
                listed.printed[case.name] = task_result.printed
            advance(case.name, results[index].outcome)
    return results


def _result(case: CaseResult, target: Target, options: RunOptions, task_result: TaskResult) -> CaseResult:
    if task_result.content is not None:
        return _with_reason(msgspec.json.decode(task_result.content, type=CaseResult))
    place = task_result.place or (case.path, case.line)
    code = "internal-error" if task_result.is_fault else "ended-run"
    where = " here" if task_result.place else ""
    return replace(
        case,
        outcome=Status.ENDED,
        detail=_sentence(task_result),
        device=options.device,
        seed=options.seed,
        seconds=task_result.seconds,
        diagnostics=(finding(place, code, f"{task_result.reason}{where}", case.name),),
    )


def _with_reason(case: CaseResult) -> CaseResult:
    """The result; if it was ended for lack of memory, with a finding that services can show."""
    if case.outcome is not Status.ENDED or case.diagnostics:
        return case
    return replace(case, diagnostics=(finding((case.path, case.line), "ended-run", case.detail, case.name),))


def _all_gathered(pool: TaskPool, results: Mapping[int, CaseResult]) -> dict[int, CaseResult]:
    """The results of all ranks."""
    found: dict[int, CaseResult] = {}
    for part in msgspec.json.decode(_shared(pool, "results", results), type=list[dict[int, CaseResult]]):
        found |= part
    return found


def _shared(pool: TaskPool, subject: str, mine: object) -> bytes:
    task_result = pool.one(Task(gathered_json, (subject, msgspec.json.encode(mine))))
    if task_result.content is None:
        raise RunError(f"ranks cannot exchange their {subject}: {task_result.reason}")
    return task_result.content


def _with_unique_names(cases: Sequence[CaseResult]) -> list[CaseResult]:
    """The cases; those of files with the same name in several directories are named by their path."""
    counts = Counter(case.name for case in cases)
    return [case if counts[case.name] == 1 else _path_qualified(case) for case in cases]


def _path_qualified(case: CaseResult) -> CaseResult:
    name = f"{case.path}:{case.name.partition(':')[2]}"
    return replace(case, name=name, diagnostics=tuple(replace(one, case=name) for one in case.diagnostics))


def _named_not_run(listed: _Listed, cases: Sequence[CaseResult]) -> list[str]:
    """The cases that were named and could not be run."""
    named = [target.only for target, _ in listed.cases]
    return [
        f"{case.name}: {case.detail}" for only, case in zip(named, cases, strict=True) if only and not is_runnable(case)
    ]
