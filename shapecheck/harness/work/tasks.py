"""The functions that run in worker processes: each returns JSON as bytes.

They import torch only when they are called, so that the main process never does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.cases.libraries.table import NameProblem
from shapecheck.harness.cases.model import Target
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.work.findings import in_one_line, of_import, of_run
from shapecheck.spec.presentation import quoted


@dataclass(frozen=True)
class Listing:
    """The cases of a target. problem: why it has none of the requested name; empty if it has."""

    cases: tuple[CaseResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    problem: str = ""


def listing(target: Target, folders: tuple[str, ...]) -> bytes:
    """The Listing of a target. folders: directories to search for its imports, in addition to its root."""
    target = _prepared(target, folders)
    from shapecheck.harness.examine import list_cases  # noqa: PLC0415

    if target.library:
        return msgspec.json.encode(_library_listing(target, list_cases))
    try:
        cases = [case for case in list_cases(target) if _is_wanted(case, target)]
        missing = _missing_names(target, cases)
        problem = _no_cases(target, missing, list_cases) if missing else ""
    except BaseException as error:
        return msgspec.json.encode(Listing(diagnostics=(of_import(error, target.file, target.root),)))
    return msgspec.json.encode(Listing(tuple(cases), problem=problem))


def _library_listing(target: Target, list_cases: Any) -> Listing:
    try:
        return Listing(tuple(case for case in list_cases(target) if _is_wanted(case, target)))
    except NameProblem as why:
        return Listing(problem=f"{target.library}:{target.only}: {why}")
    except BaseException as error:
        return Listing(
            problem=f"{target.library}:{target.only}: cannot import {target.file.parent.name}: {in_one_line(error)}"
        )


def examined(target: Target, case: CaseResult, options: RunOptions, folders: tuple[str, ...]) -> bytes:
    """The CaseResult of a case that was listed."""
    target = _prepared(target, folders)
    import torch  # noqa: PLC0415

    from shapecheck.harness.examine import examine  # noqa: PLC0415

    torch.set_num_threads(options.threads)
    try:
        result = examine(target, case.name, options)
    except BaseException as error:
        found = of_run(error, (case.path, case.line), target.root, case.name)
        result = replace(case, outcome=Status.FAILED, diagnostics=(found,))
    return msgspec.json.encode(result)


def environment_of(device: str, command: tuple[str, ...]) -> bytes:
    """The environment of a run."""
    from shapecheck.harness.environment import environment  # noqa: PLC0415

    return msgspec.json.encode(environment(device, command))


def _prepared(target: Target, folders: tuple[str, ...]) -> Target:
    from shapecheck.harness.load_cases import prepare_imports  # noqa: PLC0415

    target = replace(target, folders=tuple(map(Path, folders)))
    prepare_imports(target)
    return target


def _is_wanted(case: CaseResult, target: Target) -> bool:
    return not target.label or case.name.endswith(f"[{target.label}]")


def _names(cases: Iterable[CaseResult]) -> set[str]:
    """The classes and factories of cases."""
    return {case.name.rpartition(":")[2].partition("[")[0] for case in cases}


def _missing_names(target: Target, cases: Sequence[CaseResult]) -> str:
    """The requested name that does not exist: from the command line, or from the configuration."""
    if target.only:
        return "" if cases else _target_text(target)
    return min(target.configured.keys() - _names(cases), default="")


def _target_text(target: Target) -> str:
    return f"{target.only}[{target.label}]" if target.label else target.only


def _no_cases(target: Target, asked: str, list_cases: Any) -> str:
    names = [case.name.partition(":")[2] for case in list_cases(replace(target, only="", label=""))]
    near = get_close_matches(asked, names, 1)
    available = f"available: {', '.join(names)}" if names else "the file has no models"
    hint = f"did you mean {quoted(near[0])}?" if near else available
    where = "" if target.only else "tool.shapecheck.cases: "
    return f"{where}{target.module}:{asked}: no such model or factory in {Path(target.file).name}; {hint}"
