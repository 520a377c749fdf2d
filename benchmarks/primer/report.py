"""What is printed of a run: a row for each package, then what needs attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from benchmarks.check_runs.differences import difference, lines, text
from benchmarks.primer.entries import entries
from benchmarks.primer.errors import Unreachable
from benchmarks.primer.running import Checked, Missing
from benchmarks.primer.verdicts import Verdict, about, known

_COLUMNS = ("files", "lines", "seconds", "findings", "internal", "cut short", "ranks %", "sizes %")
_NAME = 44


def head() -> str:
    return _row("package", _COLUMNS)


def row(one: Checked) -> str:
    """The figures of one package."""
    return _row(f"{one.package.name} {one.package.version}", _figures(one))


def _row(name: str, cells: Sequence[str]) -> str:
    return "  ".join([name.ljust(_NAME), *(cell.rjust(9) for cell in cells)])


def _figures(one: Checked) -> list[str]:
    stats = one.head.stats or {}
    findings = len(one.head.diagnostics) - len(one.judgement.internal)
    cut = stats.get("files", {}).get("cut short", 0) if stats else "-"
    seconds = f"{one.head.seconds:.1f}"
    counts = [f"{one.head.files:,}", f"{one.lines:,}", seconds, f"{findings:,}", str(len(one.judgement.internal))]
    return [*counts, str(cut), share(stats, "rank known"), share(stats, "sizes known")]


def share(stats: dict[str, Any], what: str) -> str:
    """The percentage of tensor expressions in forward methods, or a dash if there are none."""
    expressions = stats.get("expressions", {})
    return f"{100 * expressions[what] / expressions['seen']:.1f}" if expressions.get("seen") else "-"


def changes(one: Checked, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What the base and the head report differently, with the verdicts that are known."""
    if one.base is None:
        return
    found = difference(one.base, one.head)
    here = about(one.package, verdicts)
    if found:
        yield from lines(one.package.name, one.base, one.head, found, lambda each: known(each, here))


def attention(checked: Sequence[Checked]) -> Iterator[str]:
    """Internal errors, files cut short, false, disappeared and unjudged findings, each with its package."""
    for one in checked:
        yield from (f"internal error: {_named(one)} {text(each)}" for each in one.judgement.internal)
    for one in checked:
        yield from (f"cut short: {_named(one)} {path}" for path in (one.head.stats or {}).get("cut short", []))
    for one in checked:
        for each, verdict in one.judgement.with_verdict("false"):
            yield f"false: {_named(one)} {text(each)} ({verdict.reason})"
    for one in checked:
        for verdict in one.judgement.disappeared:
            lost = "LOST, a true finding" if verdict.verdict == "true" else f"disappeared, a {verdict.verdict} finding"
            place = f"{verdict.path}:{verdict.line} {verdict.code}"
            yield f"{lost}: {_named(one)} {place} ({verdict.reason})"
    for one in checked:
        yield from (f"unjudged: {_named(one)} {text(each)}" for each in one.judgement.unjudged)


def to_add(checked: Iterable[Checked]) -> list[str]:
    """The entries that `judged.toml` lacks."""
    return [entry for one in checked for entry in entries(one.package, one.judgement.unjudged)]


def totals(checked: Sequence[Checked], against: str | None) -> Iterator[str]:
    """The verdicts of all packages, and the packages that differ from the revision compared with."""
    counted = Counter(verdict.verdict for one in checked for _, verdict in one.judgement.judged)
    gone = Counter(verdict.verdict for one in checked for verdict in one.judgement.disappeared)
    unjudged = sum(len(one.judgement.unjudged) for one in checked)
    internal = sum(len(one.judgement.internal) for one in checked)
    judged = ", ".join(f"{counted[name]} {name}" for name in ("true", "pedantic", "false"))
    packages = "1 package" if len(checked) == 1 else f"{len(checked)} packages"
    yield f"Checked {packages}, {sum(one.lines for one in checked):,} lines"
    yield f"  findings: {judged}, {unjudged} unjudged; {internal} internal errors"
    if gone:
        yield f"  disappeared: {', '.join(f'{count} {name}' for name, count in gone.items())}"
    if against:
        names = [one.package.name for one in checked if one.base and difference(one.base, one.head)]
        yield f"  different from {against}: {', '.join(names)}" if names else f"  identical to {against}"


def unavailable(missing: Iterable[Missing]) -> Iterator[str]:
    """Why packages were not checked, one line each, with what to do about it."""
    for one in missing:
        if isinstance(one.error, Unreachable):
            how = f"repeat later, or name a mirror with {one.package.mirror}"
        else:
            how = "correct its entry in packages.toml"
        yield f"not checked: {one.package.name} {one.package.version}: {one.error}; {how}\n"


def _named(one: Checked) -> str:
    return f"{one.package.name} {one.package.version}"


def figures(one: Checked) -> dict[str, Any]:
    """The figures of a package, for the JSON files."""
    stats = one.head.stats or {}
    return {
        "package": one.package.name,
        "version": one.package.version,
        "field": one.package.field,
        "files": one.head.files,
        "lines": one.lines,
        "seconds": round(one.head.seconds, 2),
        "cpu seconds": round(one.head.cpu_seconds, 2),
        "internal errors": len(one.judgement.internal),
        "cut short": stats.get("cut short", []),
        "expressions": stats.get("expressions", {}),
    }


def as_data(one: Checked) -> dict[str, Any]:
    """The figures, findings and verdicts of a package."""
    judgement = one.judgement
    judged = [{**each, "verdict": verdict.verdict, "reason": verdict.reason} for each, verdict in judgement.judged]
    unjudged = [{**each, "verdict": None} for each in [*judgement.unjudged, *judgement.internal]]
    gone = [msgspec.to_builtins(each) for each in judgement.disappeared]
    return {**figures(one), "findings": judged + unjudged, "disappeared": gone}
