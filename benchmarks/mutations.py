"""Of 100 mistakes put into the examples: how many each part of shapecheck finds, alone and together.

python -m benchmarks.mutations [--limit N] [--only static,runtime,harness] [--seed N] [--json FILE] [--save]

The mistakes are made by `mutators`, in turn of each kind and of each example, in an order that the seed draws. A mutant
counts if it is a bug: in one of the trials of `mutation_runs` it fails, or gives another shape, dtype, layout or
number, or shares other weights. Left out are those of which nothing can be seen, and those that are the same model with
other sizes inside. What finds them is in `mutation_parts`.

Target: 95 % together, and nothing said of the examples as they are.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch

from benchmarks import measure, store
from benchmarks.mutation_parts import PARTS, Findings, forked
from benchmarks.mutation_runs import MODELS, Observation, observed, resized, same, seen
from benchmarks.mutators import Mutant, mutants
from benchmarks.ratios import Ratio

TARGET = 0.95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=100, help="number of mutants")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run, separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures, mutant by mutant, to this file")
    store.add_option(parser)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    originals = {name: (measure.ROOT / "examples" / f"{name}.py").read_text() for name in MODELS}
    chosen = choose(originals, arguments.limit, arguments.seed)
    programs = originals | {name(index, one): one.source for index, one in enumerate(chosen.kept)}
    asked = {part: PARTS[part](programs) for part in arguments.only.split(",")}
    found = {part: said for part, said in asked.items() if said is not None}
    figures = summary(chosen, originals, found)
    print(table(chosen, found))
    for part in asked.keys() - found.keys():
        print(f"{part}: not there yet")
    print_details(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    targets = ratios(figures)
    print(*(one.line() for one in targets), sep="\n")
    store.keep(arguments.save, "mutations", figures, ["torch", "jaxtyping"], targets)


def name(index: int, mutant: Mutant) -> str:
    """The name of a mutant's module."""
    return f"m{index:03}_{mutant.example}"


@dataclass(frozen=True)
class Chosen:
    """The mutants that are bugs, and those that were looked at and left out, by the reason."""

    kept: list[Mutant] = field(default_factory=list)
    unseen: list[Mutant] = field(default_factory=list)
    resized: list[Mutant] = field(default_factory=list)


def choose(originals: Mapping[str, str], limit: int, seed: int) -> Chosen:
    """The first `limit` bugs: a mutant of each kind in turn, and within a kind one of each example in turn."""
    rng = random.Random(seed)
    queues: dict[str, dict[str, list[Mutant]]] = {}
    normal: dict[str, list[Observation]] = {}
    for example, source in originals.items():
        watched, trials = forked(partial(seen, source)), forked(partial(observed, example, source))
        if watched is None or trials is None or any(trial.error for trial in trials):
            raise SystemExit(f"examples/{example}.py does not run as it is")
        normal[example] = trials
        for mutant in mutants(example, source, watched):
            queues.setdefault(mutant.kind, {}).setdefault(example, []).append(mutant)
    for queue in (queue for examples in queues.values() for queue in examples.values()):
        rng.shuffle(queue)
    chosen = Chosen()
    bugs = [_bugs(in_turn(queues[kind].values()), normal, chosen) for kind in sorted(queues)]
    for _, mutant in zip(range(limit), in_turn(bugs), strict=False):
        chosen.kept.append(mutant)
    return chosen


def in_turn(queues: Iterable[Iterable[Mutant]]) -> Iterator[Mutant]:
    """One of each until all are empty. Takes no more from an iterator than it has given."""
    waiting = [iter(queue) for queue in queues]
    while waiting:
        for queue in list(waiting):
            mutant = next(queue, None)
            if mutant is None:
                waiting.remove(queue)
            else:
                yield mutant


def _bugs(candidates: Iterable[Mutant], normal: Mapping[str, list[Observation]], chosen: Chosen) -> Iterator[Mutant]:
    for mutant in candidates:
        trials, usual = forked(partial(observed, mutant.example, mutant.source)), normal[mutant.example]
        if trials is None:
            yield mutant
        elif same(usual, trials):
            chosen.unseen.append(mutant)
        elif resized(usual, trials):
            chosen.resized.append(mutant)
        else:
            yield mutant


def summary(chosen: Chosen, originals: Iterable[str], found: Mapping[str, Findings]) -> dict[str, Any]:
    """The figures, mutant by mutant and in all."""
    each: list[dict[str, Any]] = [
        {
            "example": one.example,
            "line": one.line,
            "kind": one.kind,
            "diff": one.diff.splitlines(),
            "found": {part: next(iter(said[name(index, one)]), "") for part, said in found.items()},
        }
        for index, one in enumerate(chosen.kept)
    ]
    ways = Counter(said[0].partition(":")[0] for key, said in found.get("runtime", {}).items() if said)
    return {
        "mutants": len(chosen.kept),
        "left out": {
            "nothing can be seen of it": len(chosen.unseen),
            "the same model with other sizes inside": len(chosen.resized),
        },
        "found": {part: sum(bool(one["found"][part]) for one in each) for part in found},
        "found together": sum(any(one["found"].values()) for one in each),
        "runtime, by way": dict(sorted(ways.items())),
        "said of the examples as they are": {
            part: [one for key in originals for one in said[key]] for part, said in found.items()
        },
        "each": each,
    }


def table(chosen: Chosen, found: Mapping[str, Findings]) -> str:
    """How many of each kind each part found."""
    hits = {
        part: {index for index, one in enumerate(chosen.kept) if said[name(index, one)]} for part, said in found.items()
    }
    hits["together"] = set().union(*hits.values())
    kinds = Counter(one.kind for one in chosen.kept)
    rows: list[list[object]] = [["mistake", "mutants", *hits]]
    for kind in (*sorted(kinds), "all"):
        members = {index for index, one in enumerate(chosen.kept) if kind in (one.kind, "all")}
        rows.append([kind, len(members), *(len(members & which) for which in hits.values())])
    return measure.table(rows)


def print_details(figures: Mapping[str, Any]) -> None:
    """What was left out, what was said of the examples themselves, and the diff of each mutant that no part found."""
    for reason, count in figures["left out"].items():
        print(f"left out, {reason}: {count}")
    print("runtime, by way:", ", ".join(f"{way} {count}" for way, count in figures["runtime, by way"].items()))
    for part, said in figures["said of the examples as they are"].items():
        print(f"{part}, said of the examples as they are: {len(said)}")
    for one in figures["each"]:
        if not any(one["found"].values()):
            print("\nnot found:", f"{one['example']}.py:{one['line']} [{one['kind']}]", *one["diff"], sep="\n")


def ratios(figures: Mapping[str, Any]) -> list[Ratio]:
    together = figures["found together"] / max(1, figures["mutants"])
    said = sum(map(len, figures["said of the examples as they are"].values()))
    return [
        Ratio(f"share of {figures['mutants']} planted errors found by at least one part", together, TARGET, True),
        Ratio("findings in the unchanged examples", said, 0),
    ]


if __name__ == "__main__":
    main()
