"""How much of PyTorch's operator database `shapecheck.infer` answers, and how well.

python -m benchmarks.op_db [--only NAME,NAME] [--family FILE] [--part PART] [-v] [--save]

Parts: `samples` runs each sample of op_db (float32, or the first dtype the operator supports) on real CPU torch and
compares shape, dtype and claimed layout; `errors` asks what is refused of the calls that torch refuses; `modules` does
the same as `samples` with module_db's layers; `names`, `apart`, `unknown`, `last`, `nothing`, `dtype` and `layout`
forget something of op_db's samples, so that an answer may become vague but not wrong; `all` is all of them.

Targets: wrong 0, flagged 0, crash 0, exact at least 95 %, at least 600 of 636 names; of the errors that can be seen in
shapes, dims and dtypes at least 80 % refused for the same cause.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from torch.testing._internal.opinfo.core import OpInfo

from benchmarks import measure, store
from benchmarks.ratios import Ratio
from shapecheck.ops import find
from tests.conformance.error_inputs import refusals
from tests.conformance.forgetting import FORGOTTEN, forgetful, recorded
from tests.conformance.module_samples import judged_modules
from tests.conformance.op_samples import Judged, judged, operators


class Outcome(NamedTuple):
    """What came of one call; `note` is empty where there is nothing to say."""

    name: str
    family: str
    kinds: tuple[str, ...]
    note: str = ""


class Part(NamedTuple):
    """The columns of a part, the good one first, those that do not count among all, and what makes its outcomes."""

    columns: tuple[str, ...]
    aside: frozenset[str]
    outcomes: Callable[[list[OpInfo], frozenset[str]], Iterable[Outcome]]


def _samples(ops: list[OpInfo], _: frozenset[str]) -> Iterator[Outcome]:
    return (_verdict(one) for op in ops for one in judged(op))


def _modules(_: list[OpInfo], only: frozenset[str]) -> Iterator[Outcome]:
    return (_verdict(one) for one in judged_modules(only))


def _errors(ops: list[OpInfo], _: frozenset[str]) -> Iterator[Outcome]:
    for op in ops:
        for one in refusals(op):
            yield Outcome(one.name, one.family, (one.outcome,), f"{one.torch_says[:200]} | {one.we_say}")


def _forgetting(mode: str) -> Callable[[list[OpInfo], frozenset[str]], Iterator[Outcome]]:
    def outcomes(ops: list[OpInfo], _: frozenset[str]) -> Iterator[Outcome]:
        return (_verdict(forgetful(one, mode)) for op in ops for one in recorded(op))

    return outcomes


def _verdict(one: Judged) -> Outcome:
    verdict = one.verdict
    kinds = (verdict.kind, "layout") if verdict.layout else (verdict.kind,)
    return Outcome(one.name, one.family, kinds, f"{verdict.why} {verdict.layout}".strip())


TARGETS = {
    "samples": ("calls of op_db with the same result as torch", "exact", 95),
    "modules": ("calls of module_db with the same result as torch", "exact", 95),
    "errors": ("errors of op_db rejected for the same reason as torch", "refused", 80),
}
NAMES = 600
_JUDGED = ("exact", "unknown", "wrong", "flagged", "crash", "layout")
_FORGOTTEN = ("sound", "vague", "wrong", "flagged", "crash")
_REFUSED = ("refused", "other-cause", "accepted", "unknown", "crash", "invisible")
_QUIET = frozenset(("exact", "sound", "vague", "refused", "invisible"))
PARTS: dict[str, Part] = {
    "samples": Part(_JUDGED, frozenset(("layout",)), _samples),
    "errors": Part(_REFUSED, frozenset(("invisible",)), _errors),
    "modules": Part(_JUDGED, frozenset(("layout",)), _modules),
    **{mode: Part(_FORGOTTEN, frozenset(), _forgetting(mode)) for mode in FORGOTTEN},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="operators, separated by commas, as op_db names them")
    parser.add_argument("--family", help="only the operators whose rule is in this file of shapecheck/ops/rules")
    parser.add_argument("--part", choices=(*PARTS, "all"), default="samples")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each call with a wrong or unknown result")
    store.add_option(parser)
    options = parser.parse_args()
    only = frozenset(options.only.split(",")) - {""}
    ops = [op for op in operators(only) if not options.family or _family(op.name) == options.family]
    figures = {}
    for name in PARTS if options.part == "all" else (options.part,):
        figures[name] = tally(name, PARTS[name].outcomes(ops, only), options.verbose)
    found = list(ratios(figures))
    print(*(one.line() for one in found), sep="\n")
    store.keep(options.save, "op_db", figures, ["shapecheck", "torch"], found)


def ratios(figures: dict[str, Any]) -> Iterator[Ratio]:
    """The targets that the parts which were run have."""
    for part, (words, column, least) in TARGETS.items():
        if part in figures:
            every = figures[part]["families"]["all"]
            yield Ratio(f"{words}, %", float(every[f"% {column}"]), least, at_least=True)
            for what in ("wrong", "flagged", "crash"):
                if what in every:
                    yield Ratio(f"{words}: {what}", every[what], 0)
    if "samples" in figures:
        yield Ratio("operators of op_db", figures["samples"]["families"]["all"]["answered"], NAMES, at_least=True)


def _family(name: str) -> str:
    entry = find(name)
    return entry.family if entry else "-"


def tally(part: str, outcomes: Iterable[Outcome], verbose: bool) -> dict[str, Any]:
    """Counts the outcomes of a part by family, prints and returns the counts."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    names: defaultdict[str, set[str]] = defaultdict(set)
    answered: defaultdict[str, set[str]] = defaultdict(set)
    good = PARTS[part].columns[0]
    for name, family, kinds, note in outcomes:
        counts[family].update(kinds)
        names[family].add(name)
        if good in kinds:
            answered[family].add(name)
        if verbose and not _QUIET.issuperset(kinds):
            print(f"{' '.join(kinds)} {name}: {note}")
    rows = {family: _row(part, counts[family], names[family], answered[family]) for family in sorted(counts)}
    every = sum(counts.values(), Counter()), set().union(*names.values()), set().union(*answered.values())
    rows["all"] = _row(part, *every)
    print(measure.table([("family", *rows["all"]), *((family, *row.values()) for family, row in rows.items())]), "\n")
    return {"families": rows, "not answered": sorted(every[1] - every[2])}


def _row(part: str, counts: Counter[str], names: set[str], answered: set[str]) -> dict[str, Any]:
    columns, aside, _ = PARTS[part]
    total = sum(counts[column] for column in columns if column not in aside)
    share = f"{100 * counts[columns[0]] / total:.2f}" if total else "-"
    return {
        "names": len(names),
        "answered": len(answered),
        "calls": total,
        **{column: counts[column] for column in columns},
        f"% {columns[0]}": share,
    }


if __name__ == "__main__":
    main()
