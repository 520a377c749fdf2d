"""What is printed of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.compare_revisions.checking import Difference, Result


def lines(name: str, base: Result, head: Result, found: Difference) -> Iterator[str]:
    """The counts and times of both sides, then each diagnostic that only one of them has."""
    verdict = f"{len(found.added)} added, {len(found.removed)} removed" if found else "identical"
    yield f"{name}: {_counts(base, head)}: {verdict} ({_time(base)}; {_time(head)})"
    told = {_text(one) for one in found.added} & {_text(one) for one in found.removed}
    for sign, diagnostics in (("-", found.removed), ("+", found.added)):
        for one in diagnostics:
            text = _text(one)
            yield f"  {sign} {text}"
            if text in told:
                yield f"      {_rest(one)}"
    for label, result in (("base", base), ("head", head)):
        if result.stats is not None:
            yield f"  {label}: {_stats(result.stats)}"


def _counts(base: Result, head: Result) -> str:
    files = str(base.files) if base.files == head.files else f"{base.files} and {head.files}"
    return f"{files} files, {len(base.diagnostics)} and {len(head.diagnostics)} findings"


def _time(result: Result) -> str:
    return f"{result.seconds:.1f} s, {result.cpu_seconds:.1f} s CPU{', reused' if result.reused else ''}"


def _text(one: Mapping[str, Any]) -> str:
    return f"{one['path']}:{one['line']}:{one['column']} {one['code']} {one['message']}"


def _rest(one: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the text leaves out."""
    return {name: value for name, value in one.items() if name not in {"path", "line", "column", "code", "message"}}


def _stats(stats: Mapping[str, Any]) -> str:
    expressions, forwards = stats["expressions"], stats["forwards"]
    known = f"{expressions['sizes known']} of {expressions['seen']} expressions with known sizes"
    return f"{known}, {forwards['run']} of {forwards['seen']} forwards run, {stats['operators']['asked']} operators"
