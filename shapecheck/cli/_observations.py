"""The output of `--show-shapes` and `--stats`, and their part of the JSON report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shapecheck.diagnostics.counts import counted, listed
from shapecheck.project.files import display_path
from shapecheck.project.templates import Templates

if TYPE_CHECKING:
    from shapecheck.cli._checking import WatchedRun
    from shapecheck.static.observing.shapes import AssignedTensors

_MOST_REASONS = 20


class Observations(NamedTuple):
    """What the observer of a run recorded for `--show-shapes` and `--stats`."""

    shapes: Sequence[FileShapes] | None = None
    stats: dict[str, Any] | None = None

    def listing(self) -> Iterator[str]:
        """The source files with the shapes as comments; each under its name if there are several."""
        for one in self.shapes or ():
            if len(self.shapes or ()) > 1:
                yield f"# {one.path}\n"
            yield from one.lines()

    def figures(self) -> Iterator[str]:
        """The statistics as text."""
        if self.stats is not None:
            yield from _stats_lines(self.stats)

    def for_json(self) -> dict[str, object]:
        """The keys of the JSON report."""
        found: dict[str, object] = {}
        if self.shapes is not None:
            found["shapes"] = [
                row for one in self.shapes for assigned in one.assigned for row in assigned.as_dicts(one.path)
            ]
        if self.stats is not None:
            found["stats"] = self.stats
        return found


class FileShapes(NamedTuple):
    """A source file and the tensors that are assigned in it."""

    path: str
    text: Sequence[str]
    assigned: Sequence[AssignedTensors]

    def lines(self) -> Iterator[str]:
        """The lines of the file, with the shapes as comments."""
        beside: dict[int, list[str]] = {}
        for one in self.assigned:
            beside.setdefault(one.line, []).append(f"{one.name}: {one.text()}")
        for number, line in enumerate(self.text, 1):
            shown = line.rstrip("\r\n")
            yield f"{shown}  # {', '.join(beside[number])}\n" if number in beside else f"{shown}\n"


def shapes_of(watched: WatchedRun, files: Sequence[Path]) -> list[FileShapes]:
    """The assigned tensors of each file that parses."""
    from shapecheck.static.observing.shapes import assigned_names  # noqa: PLC0415

    loaded = [one for path in files if (one := watched.checker.project.load(path)) is not None]
    return [FileShapes(one.source.display, one.source.lines, assigned_names(watched.watch, one.tree)) for one in loaded]


def stats_of(watched: WatchedRun, files: Sequence[Path]) -> dict[str, Any]:
    """The counts of the run for the JSON report."""
    from shapecheck.static.observing.statistics import run_statistics  # noqa: PLC0415

    loaded = [one for path in files if (one := watched.checker.project.load(path)) is not None]
    session = watched.checker.session
    templates = Templates()
    found = run_statistics(session, watched.watch, loaded)
    return {
        "expressions": {
            "seen": found.expressions,
            "rank known": found.rank,
            "rank claimed": found.claimed,
            "sizes known": found.sizes,
            "switched off": found.off,
        },
        "forwards": {"seen": found.forwards, "run": found.forwards_run},
        "not run": dict(found.skipped.most_common()),
        "functions": {"run": found.functions},
        "files": {"cut short": len(session.unfinished)},
        "cut short": sorted(one.source.display for one in session.unfinished),
        "templates": [display_path(one) for one in files if one in templates],
        "operators": {"asked": found.asked.total(), "different": len(found.asked)},
        "unknown": dict(found.reasons.most_common(_MOST_REASONS)),
        "places": found.places,
        "seconds": {name: round(value, 3) for name, value in watched.seconds.items()},
    }


def _stats_lines(stats: dict[str, Any]) -> Iterator[str]:
    seen = stats["expressions"]
    total = max(seen["seen"], 1)
    yield f"Found {counted(seen['seen'], 'tensor expression')} in forward methods and the functions they call\n"
    claimed = seen["rank claimed"]
    how = f", {claimed / total:.1%} only by shapes in docstrings and comments" if claimed else ""
    yield f"  {seen['rank known'] / total:.1%} have a known rank{how}\n"
    yield f"  {seen['sizes known'] / total:.1%} have only sizes that are numbers or symbolic\n"
    yield f"  {seen['switched off']:,} more are never run because of known conditions\n"
    forwards = f"{stats['forwards']['run']:,} of {counted(stats['forwards']['seen'], 'forward method')}"
    yield f"Ran {forwards} and {counted(stats['functions']['run'], 'function')} in total\n"
    yield from (f"  {path}: stopped early, because it takes too many steps\n" for path in stats["cut short"])
    yield from (f"  {path}: nothing is reported, because it is a template\n" for path in stats["templates"])
    places = stats["places"]
    yield from (
        f"  {count:,} did not run: {reason}{_at(places, reason)}\n" for reason, count in stats["not run"].items()
    )
    operators = stats["operators"]
    yield f"Applied rules of {counted(operators['different'], 'operator')} {counted(operators['asked'], 'time')}\n"
    if stats["unknown"]:
        yield "Origins of unknown ranks:\n"
        yield from (f"  {count:,}  {reason}{_at(places, reason)}\n" for reason, count in stats["unknown"].items())
    seconds = listed(f"{value:.1f} s to {name}" for name, value in stats["seconds"].items())
    yield f"Took {seconds}\n"


def _at(places: dict[str, list[str]], reason: str) -> str:
    return f" (first at {', '.join(places[reason])})" if places.get(reason) else ""
