"""Findings with one cause: the first is reported, and a note names the lines of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from shapecheck.diagnostics import Diagnostic, Note
from shapecheck.project.silencing import Read, SilencingResult, silence

MAYBE = "?"
"""Begins a cause that connects a finding only with findings that have it without this mark."""
PASSED = "<"
"""Begins the place of a call that a value passed through: no cause, but a finding there comes before this one."""
YIELDS = "~"
"""Begins the source of a value about which a finding is reported only if no other finding has a cause with it."""
_MOST_LINES = 5


def one_per_cause(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The first finding of each cause, in the order in which they come."""
    found = list(diagnostics)
    reported = {id(group[0]): _with_note(group[0], group[1:]) for group in _groups(found)}
    return [reported[id(one)] for one in found if id(one) in reported]


def silence_causes(diagnostics: Iterable[Diagnostic], read: Read = Path.read_bytes) -> SilencingResult:
    """The first finding of each cause, if no comment silences it.

    A comment on the first finding silences the others too. One on another finding removes its line from the note.
    """
    found = list(diagnostics)
    result = silence(found, read)
    left = {id(one) for one in result.reported}
    reported = {}
    for first, *others in _groups(found):
        heard = [one for one in others if id(one) in left]
        if id(first) in left:
            reported[id(first)] = _with_note(first, heard)
        else:
            result.count += len(heard)
    result.reported = [reported[id(one)] for one in result.reported if id(one) in reported]
    return result


def _groups(diagnostics: Iterable[Diagnostic]) -> list[list[Diagnostic]]:
    """The findings in groups, largest first: all findings of a group share one cause, and each is in one group."""
    found = _without_yielding(sorted(diagnostics))
    left = set(range(len(found)))
    sharing = _sharing(found)
    groups = []
    while sharing:
        key = min(sharing, key=lambda one: (-len(sharing[one]), min(sharing[one]), one))
        members = sharing[key]
        groups.append(_with_first([found[place] for place in sorted(members)]))
        left -= members
        sharing = {one: rest for one, places in sharing.items() if len(rest := places & left) > 1}
    return [*groups, *([found[place]] for place in sorted(left))]


def _without_yielding(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that yield to another one of their file and code."""
    if not any(cause.startswith(YIELDS) for one in diagnostics for cause in one.causes):
        return list(diagnostics)
    sources = {(one.path, one.code, cause.rpartition("|")[0]) for one in diagnostics for cause in one.causes}
    return [
        one
        for one in diagnostics
        if not any(
            cause.startswith(YIELDS) and (one.path, one.code, cause.removeprefix(YIELDS)) in sources
            for cause in one.causes
        )
    ]


def _with_first(group: list[Diagnostic]) -> list[Diagnostic]:
    """The group, beginning with the first finding whose values did not pass through the place of another one."""
    places = [PASSED + f"{one.path}:{one.line}:{one.column}" for one in group]
    alone = (one for one, own in zip(group, places, strict=True) if not ({*places} - {own}) & {*one.causes})
    first = next(alone, group[0])
    return [first, *(one for one in group if one is not first)]


def _sharing(diagnostics: Sequence[Diagnostic]) -> dict[tuple[str, str, str], set[int]]:
    """The findings of each cause that several share, if one of them has it for certain."""
    found: dict[tuple[str, str, str], set[int]] = {}
    certain = set()
    for place, one in enumerate(diagnostics):
        for cause in one.causes:
            if cause.startswith((PASSED, YIELDS)):
                continue
            key = one.path, one.code, cause.removeprefix(MAYBE)
            found.setdefault(key, set()).add(place)
            if not cause.startswith(MAYBE):
                certain.add(key)
    return {key: members for key, members in found.items() if key in certain and len(members) > 1}


def _with_note(first: Diagnostic, others: Sequence[Diagnostic]) -> Diagnostic:
    """The finding, with a note on the other ones."""
    if not others:
        return replace(first, causes=()) if first.causes else first
    lines = sorted({one.line for one in others} - {first.line})
    if lines:
        place = next(one for one in others if one.line == lines[0])
        message = f"the same cause also affects {_listed(lines)}"
    else:
        place = others[0]
        message = f"the same cause also affects column {place.column} of this line"
    return replace(first, notes=(*first.notes, Note(place.path, place.line, place.column, message)), causes=())


def _listed(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    shown = [*map(str, lines)] if len(lines) <= _MOST_LINES else [*map(str, lines[: _MOST_LINES - 1])]
    last = shown.pop() if len(lines) <= _MOST_LINES else f"{len(lines) - len(shown)} more"
    return f"lines {', '.join(shown)} and {last}"
