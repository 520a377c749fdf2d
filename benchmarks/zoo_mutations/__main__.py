"""Of 200 mistakes planted in models of timm and transformers: how many `check`, guards and `run` find.

    pip install timm transformers
    python -m benchmarks.zoo_mutations [--limit N] [--kind NAME ...] [--model NAME ...] [--minutes N] [--json FILE]

models.toml lists the models. Their libraries are copied to a temporary directory, in which one file at a time has a
mistake: one of each kind in turn, and within a kind one of each model, in an order that the seed draws. A mutant counts
if it is a bug: used in one of the ways of `observing` it fails, or gives another shape, dtype, layout, number or
gradient, or it has other parameters. Findings that the model has without the mistake do not count.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import torch

import shapecheck.harness.work.preload  # noqa: F401 - each mutant runs in a fork of this process
from benchmarks import store
from benchmarks.mutation_parts import forked
from benchmarks.mutations import in_turn
from benchmarks.mutators import Edit, Mutant, mutant_of
from benchmarks.zoo_mutations import parts, report
from benchmarks.zoo_mutations.library_copy import LibraryCopy, copied
from benchmarks.zoo_mutations.models import Model, models
from benchmarks.zoo_mutations.mutators import mistakes
from benchmarks.zoo_mutations.observing import Observed, observed, resized, same
from benchmarks.zoo_mutations.parts import Said
from benchmarks.zoo_mutations.report import Answer, Answers
from benchmarks.zoo_mutations.watching import watched
from shapecheck.harness.cases.libraries.table import modules_to_preload, stay_offline

_T = TypeVar("_T")


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    until = time.monotonic() + 60 * options.minutes
    stay_offline()
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    torch.set_num_threads(1)
    sys.dont_write_bytecode = True
    chosen = {name: one for name, one in models().items() if not options.model or name in options.model}
    packages = list(dict.fromkeys(one.module.partition(".")[0] for one in chosen.values()))
    with tempfile.TemporaryDirectory() as folder:
        library = copied(packages, Path(folder))
        for name in modules_to_preload(one.to_run() for one in chosen.values()):
            __import__(name)
        answers = Answers()
        usual = {name: _Usual.of(library, model) for name, model in chosen.items()}
        for answer in _answers(library, chosen, usual, options, answers):
            answers.each.append(answer)
            print(_line(len(answers.each), answer), file=sys.stderr, flush=True)
            if time.monotonic() > until:
                break
    print(report.table(answers), report.checks(answers), *report.shares(answers), *report.misses(answers), sep="\n")
    print(*report.usual({name: one.said for name, one in usual.items()}), sep="\n")
    figures, ratios = report.figures(answers), report.ratios(answers)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(*(one.line() for one in ratios), sep="\n")
    kept = {name: value for name, value in figures.items() if name != "each"}  # its lines are those of the libraries
    store.keep(options.save, "zoo_mutations", kept, ["torch", "timm", "transformers"], ratios)
    return 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=200, metavar="N", help="number of mutants")
    parser.add_argument("--minutes", type=float, default=math.inf, metavar="N", help="begin no mutant after that time")
    parser.add_argument("--kind", nargs="+", default=[], metavar="NAME", help="only mistakes of these kinds")
    parser.add_argument("--model", nargs="+", default=[], metavar="NAME", help="only these, such as modeling_bert")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures, mutant by mutant, to this file")
    store.add_option(parser)
    return parser.parse_args(argv)


class _Usual:
    """A model without a mistake: its source, and what is seen and said of it."""

    def __init__(self, source: str, mistakes: list[Edit], seen: Observed, said: Mapping[str, Said]) -> None:
        self.source = source
        self.means = ast.dump(ast.parse(source))
        self.mistakes = mistakes
        self.seen = seen
        self.said = said

    @classmethod
    def of(cls, library: LibraryCopy, model: Model) -> _Usual:
        source, file = library.read(model.path), library.folder / model.path
        seen = _asked(partial(observed, model), model)
        if seen.error or all(one.error for one in seen.uses):
            raise SystemExit(f"{model.target} does not run as it is: {seen.error or seen.uses[0].error}")
        edits = mistakes(source, _asked(partial(watched, model, str(file)), model))
        return cls(source, edits, seen, _said(model, file))


def _asked(question: Callable[[], _T], model: Model) -> _T:
    answer = forked(question)
    if answer is None:
        raise SystemExit(f"{model.target} does not run as it is")
    return answer


def _said(model: Model, file: Path) -> dict[str, Said]:
    """A process that dies has said so."""
    died = Said(("the process ended [ended-run]",), ("ended",))
    return {
        "check": parts.check(file),
        "guards": forked(partial(parts.guards, model)) or died,
        "run": forked(partial(parts.run, model)) or died,
    }


def _answers(
    library: LibraryCopy,
    chosen: Mapping[str, Model],
    usual: Mapping[str, _Usual],
    options: argparse.Namespace,
    answers: Answers,
) -> Iterator[Answer]:
    rng = random.Random(options.seed)
    queues: dict[str, dict[str, list[tuple[str, Edit]]]] = {}
    for name, one in usual.items():
        for edit in one.mistakes:
            if not options.kind or edit.kind in options.kind:
                queues.setdefault(edit.kind, {}).setdefault(name, []).append((name, edit))
    for queue in (queue for of_models in queues.values() for queue in of_models.values()):
        rng.shuffle(queue)
    kinds = [
        _asked_about(in_turn(list(queues[kind].values())), library, chosen, usual, answers) for kind in sorted(queues)
    ]
    bugs = (answer for answer in in_turn(kinds) if isinstance(answer, Answer))
    yield from islice(bugs, options.limit)


def _asked_about(
    edits: Iterable[tuple[str, Edit]],
    library: LibraryCopy,
    chosen: Mapping[str, Model],
    usual: Mapping[str, _Usual],
    answers: Answers,
) -> Iterator[Answer | str]:
    """What is said of each mutant that is a bug, and why the others are none."""
    made: set[str] = set()
    for name, edit in edits:
        model, before = chosen[name], usual[name]
        mutant = mutant_of(name, before.source, before.means, edit)
        if mutant is None or mutant.source in made:
            continue
        made.add(mutant.source)
        with library.changed(model.path, mutant.source) as file:
            answer = _answer(mutant, model, before, file)
        if isinstance(answer, str):
            answers.left_out[answer] += 1
        yield answer


def _answer(mutant: Mutant, model: Model, before: _Usual, file: Path) -> Answer | str:
    """What is said of the mutant; if it is no bug, why."""
    seen = forked(partial(observed, model))
    if seen is not None and same(before.seen, seen):
        return "nothing can be seen of it"
    if seen is not None and resized(before.seen, seen):
        return "the same model with other sizes inside"
    said = {part: one.beyond(before.said[part]) for part, one in _said(model, file).items()}
    return Answer(mutant, said, _alone(model, said["run"], before.said["run"]))


def _alone(model: Model, said: Said, usual: Said) -> str:
    """The check that has findings, if the others have none without it."""
    if len(said.checks) != 1:
        return ""
    (name,) = said.checks
    others = forked(partial(parts.run, model, [name]))
    return "" if others is None or others.beyond(usual).findings else name


def _line(number: int, answer: Answer) -> str:
    by = [part for part in report.PARTS if answer.found_by(part)]
    checks = ", ".join(answer.said["run"].checks)
    mutant = answer.mutant
    lost = "" if by else f"\n{mutant.diff}"
    return f"{number} {mutant.example}:{mutant.line} [{mutant.kind}] {' '.join(by) or 'NOT FOUND'} ({checks}){lost}"


if __name__ == "__main__":
    sys.exit(main())
