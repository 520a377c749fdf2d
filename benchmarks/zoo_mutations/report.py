"""What is printed: the shares by kind and part, the checks of `run` that alone find a mistake, and what none finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks import measure
from benchmarks.mutators import Mutant
from benchmarks.ratios import Ratio
from benchmarks.zoo_mutations.parts import Said

TARGET = 0.95
PARTS = ("check", "guards", "run")


@dataclass(frozen=True)
class Answer:
    """A mutant, and what each part says of it. alone: the check of `run` without which `run` says nothing."""

    mutant: Mutant
    said: Mapping[str, Said]
    alone: str = ""

    def found_by(self, part: str) -> bool:
        return bool(self.said[part].findings)

    @property
    def found(self) -> bool:
        return any(map(self.found_by, PARTS))


@dataclass
class Answers:
    """Those about all bugs, and how many mutants were left out, by reason."""

    each: list[Answer] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def share(self, part: str) -> float:
        return sum(one.found_by(part) for one in self.each) / max(len(self.each), 1)

    @property
    def together(self) -> float:
        return sum(one.found for one in self.each) / max(len(self.each), 1)


def table(answers: Answers) -> str:
    """How many of each kind each part found."""
    rows: list[Sequence[object]] = [("mistake", "mutants", *PARTS, "together")]
    for kind in (*sorted({one.mutant.kind for one in answers.each}), "all"):
        members = [one for one in answers.each if kind in (one.mutant.kind, "all")]
        counts = [sum(one.found_by(part) for one in members) for part in PARTS]
        rows.append((kind, len(members), *counts, sum(one.found for one in members)))
    return measure.table(rows)


def shares(answers: Answers) -> Iterator[str]:
    for part in PARTS:
        yield f"{part}: {100 * answers.share(part):.0f} %"
    yield f"together: {100 * answers.together:.1f} % of {len(answers.each)}"
    for reason, count in answers.left_out.items():
        yield f"left out, {reason}: {count}"


def checks(answers: Answers) -> str:
    """By check of `run`: the mutants in which it has findings, which no other check finds, and no other part either."""
    found = Counter(name for one in answers.each for name in one.said["run"].checks)
    alone = Counter(one.alone for one in answers.each if one.alone)
    only = Counter(
        one.alone for one in answers.each if one.alone and not one.found_by("check") and not one.found_by("guards")
    )
    rows: list[Sequence[object]] = [("check of run", "found", "no other check", "no other part")]
    rows += [(name, found[name], alone[name], only[name]) for name in sorted(found)]
    return measure.table(rows)


def usual(said: Mapping[str, Mapping[str, Said]]) -> Iterator[str]:
    """What is said of the models without mistakes, by model and part."""
    for model, parts in said.items():
        for part, one in parts.items():
            yield from (f"without a mistake, {part} says of {model}: {finding}" for finding in one.findings)


def misses(answers: Answers) -> Iterator[str]:
    for one in answers.each:
        if not one.found:
            yield f"\nnot found: {one.mutant.example}.py:{one.mutant.line} [{one.mutant.kind}]\n{one.mutant.diff}"


def figures(answers: Answers) -> dict[str, Any]:
    return {
        "mutants": len(answers.each),
        "left out": dict(answers.left_out),
        "shares": {part: round(answers.share(part), 3) for part in PARTS} | {"together": round(answers.together, 3)},
        "each": [
            {
                "model": one.mutant.example,
                "line": one.mutant.line,
                "kind": one.mutant.kind,
                "diff": one.mutant.diff.splitlines(),
                "found": {part: list(one.said[part].findings[:3]) for part in PARTS},
                "checks": list(one.said["run"].checks),
                "alone": one.alone,
            }
            for one in answers.each
        ],
    }


def ratios(answers: Answers) -> list[Ratio]:
    return [
        Ratio("share of errors planted in models of libraries that some part finds", answers.together, TARGET, True)
    ]
