"""What two results differ in, and how that is printed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.check_runs.checking import Result


@dataclass(frozen=True, slots=True)
class Difference:
    """Diagnostics that only one side reported."""

    added: list[dict[str, Any]]
    removed: list[dict[str, Any]]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def difference(base: Result, head: Result) -> Difference:
    """Compares every field: place, code, severity, message, notes and fixes."""
    before, after = _counted(base.diagnostics), _counted(head.diagnostics)
    return Difference(list(_elements(after - before)), list(_elements(before - after)))


def _counted(diagnostics: Iterable[Mapping[str, Any]]) -> Counter[str]:
    return Counter(json.dumps(one, sort_keys=True) for one in diagnostics)


def _elements(counted: Counter[str]) -> Iterator[dict[str, Any]]:
    found = [json.loads(one) for one in counted.elements()]
    return iter(sorted(found, key=lambda one: (one["path"], one["line"], one["column"], one["code"])))


def lines(
    name: str, base: Result, head: Result, found: Difference, verdict: Callable[[Mapping[str, Any]], str] | None = None
) -> Iterator[str]:
    """The counts and times of both sides, then each diagnostic that only one of them has, with its verdict if known."""
    summary = f"{len(found.added)} added, {len(found.removed)} removed" if found else "identical"
    yield f"{name}: {_counts(base, head)}: {summary} ({_time(base)}; {_time(head)})"
    told = {text(one) for one in found.added} & {text(one) for one in found.removed}
    for sign, diagnostics in (("-", found.removed), ("+", found.added)):
        for one in diagnostics:
            judged = verdict(one) if verdict else ""
            yield f"  {sign} {text(one)}{f' ({judged})' if judged else ''}"
            if text(one) in told:
                yield f"      {_rest(one)}"


def stats_lines(base: Result, head: Result) -> Iterator[str]:
    """How much of the code both sides understood."""
    for label, result in (("base", base), ("head", head)):
        if result.stats is not None:
            yield f"  {label}: {_stats(result.stats)}"


def text(one: Mapping[str, Any]) -> str:
    """A diagnostic in one line."""
    return f"{one['path']}:{one['line']}:{one['column']} {one['code']} {one['message']}"


def _counts(base: Result, head: Result) -> str:
    files = str(base.files) if base.files == head.files else f"{base.files} and {head.files}"
    return f"{files} files, {len(base.diagnostics)} and {len(head.diagnostics)} findings"


def _time(result: Result) -> str:
    return f"{result.seconds:.1f} s, {result.cpu_seconds:.1f} s CPU{', reused' if result.reused else ''}"


def _rest(one: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the text leaves out."""
    return {name: value for name, value in one.items() if name not in {"path", "line", "column", "code", "message"}}


def _stats(stats: Mapping[str, Any]) -> str:
    expressions, forwards = stats["expressions"], stats["forwards"]
    known = f"{expressions['sizes known']} of {expressions['seen']} expressions with known sizes"
    return f"{known}, {forwards['run']} of {forwards['seen']} forwards run, {stats['operators']['asked']} operators"
