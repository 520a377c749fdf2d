"""What a tool said of the wrong program and not of the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rivals.programs import Pair, Probe
from benchmarks.rivals.tool import Finding, Said


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over pairs."""

    pairs: int
    caught: int
    """Something is reported of the wrong program that is not reported of the right one."""
    in_place: int
    """... on a line where the mistake is."""
    silent: int
    """Pairs whose mistake raises nothing."""
    silent_caught: int
    false: int
    """Right programs of which something is reported."""
    seconds: float
    """A program."""


def new(wrong: Sequence[Finding], right: Sequence[Finding]) -> list[Finding]:
    """Findings of `wrong` whose text is not among those of `right`."""
    left = Counter(one.text for one in right)
    found = []
    for one in wrong:
        if left[one.text]:
            left[one.text] -= 1
        else:
            found.append(one)
    return found


def score(pairs: Iterable[Pair], places: Mapping[str, tuple[Path, Path]], said: Said, seconds: float) -> Score:
    """Of those pairs that are in `places`."""
    asked = [pair for pair in pairs if pair.name in places]
    found = {pair.name: new(*(said[path] for path in places[pair.name])) for pair in asked}
    caught = [pair for pair in asked if found[pair.name]]
    return Score(
        pairs=len(asked),
        caught=len(caught),
        in_place=sum(any(one.line in pair.lines for one in found[pair.name]) for pair in caught),
        silent=sum(pair.silent for pair in asked),
        silent_caught=sum(pair.silent for pair in caught),
        false=sum(bool(said[places[pair.name][1]]) for pair in asked),
        seconds=seconds / max(1, 2 * len(asked)),
    )


def answers(probes: Iterable[Probe], places: Mapping[str, tuple[Path, Path]], said: Said) -> dict[str, bool]:
    """Of each question, whether the wrong program is reported, with the word asked for, and the right one not."""
    found = {}
    for probe in probes:
        wrong, right = (said[path] for path in places[probe.pair.name])
        found[probe.question] = not right and any(probe.names in one.text for one in wrong)
    return found
