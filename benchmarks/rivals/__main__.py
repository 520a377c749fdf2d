"""shapecheck and its rivals on the same programs: what each finds, what it reports in correct ones, how long it takes.

    python -m benchmarks.rivals [--rivals DIRECTORY] [--only TOOL ...] [--limit N] [--all] [--cases DIRECTORY] [--save]

The programs are the pairs of `tests/cases` (or of `--cases`, in the same form), the examples with their broken
variants, and the probes, each of which asks a question with the answer yes or no. Each rival is used as its
documentation describes, in its own environment. What cannot be installed or does not work here is a line of the table.
`--only` keeps the results of the other tools.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import environments, measure, store
from benchmarks.ratios import Ratio
from benchmarks.rivals import programs
from benchmarks.rivals.programs import Pair, Probe
from benchmarks.rivals.score import Score, answers, score
from benchmarks.rivals.tool import Said, Tool, Unusable
from benchmarks.rivals.tools import TOOLS


@dataclass(frozen=True, slots=True)
class Material:
    """What every tool is given."""

    pairs: Sequence[Pair]
    twins: Sequence[Pair]
    probes: Sequence[Probe]
    all: bool
    """Slow tools get all pairs, too."""


def main() -> None:
    arguments = _arguments()
    chosen = [tool for tool in TOOLS if not arguments.only or tool.name in arguments.only]
    pairs = programs.cases(*([arguments.cases] if arguments.cases else []))
    material = Material(pairs[: arguments.limit], programs.twins()[: arguments.limit], programs.probes(), arguments.all)
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for tool in chosen:
            try:
                python = _python(tool, arguments.rivals or Path(folder, "rivals"))
                found[tool.name] = _examined(tool, python, Path(folder), material)
            except (environments.CannotInstall, Unusable) as error:
                found[tool.name] = {"unusable": str(error)}
            print(f"{tool.name}: {_short(found[tool.name])}", flush=True)
    if arguments.only:
        found = {**_kept(arguments.save), **found}
    found = {tool.name: found[tool.name] for tool in TOOLS if tool.name in found}
    print(table(found))
    ratios = list(ratios_of(found))
    print(*(one.line() for one in ratios), sep="\n")
    store.keep(arguments.save, "rivals", {"tools": found}, ["shapecheck", "torch"], ratios)


def _kept(file: Path | None) -> dict[str, dict[str, Any]]:
    """What an earlier run found of the other tools."""
    section = store.load(file)["benchmarks"].get("rivals") if file else None
    return dict(section["figures"]["tools"]) if section else {}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--rivals", type=Path, help="directory in which to keep the environments; by default a temporary one"
    )
    parser.add_argument("--only", nargs="+", choices=[tool.name for tool in TOOLS], default=[], metavar="TOOL")
    parser.add_argument("--all", action="store_true", help="give slow tools all pairs, not a sample")
    parser.add_argument("--limit", type=int, help="maximum number of pairs")
    parser.add_argument("--cases", type=Path, help="another directory of pairs")
    store.add_option(parser)
    return parser.parse_args()


def _python(tool: Tool, folder: Path) -> Path:
    if not tool.packages:
        return Path(sys.executable)
    return environments.python_of(folder, tool.packages[0].partition("[")[0].partition("=")[0], tool.packages)


def _examined(tool: Tool, python: Path, folder: Path, material: Material) -> dict[str, Any]:
    """Scores on the pairs and the twins, answers to the questions, and versions."""
    names = [package.partition("[")[0].partition("=")[0].partition("<")[0] for package in tool.packages]
    figures: dict[str, Any] = {"ours": tool.ours, "runs": tool.runs, "versions": environments.versions(python, names)}
    asked = [] if tool.models_only else material.pairs[:: 1 if material.all else tool.every]
    for kind, some in (("pairs", asked), ("twins", material.twins)):
        if some:
            figures[kind] = asdict(_scored(tool, python, folder, kind, some))
    unique = list({probe.pair.name: probe.pair for probe in material.probes}.values())
    places, said, _ = _said(tool, python, folder / "probes" / _slug(tool), unique)
    figures["answers"] = answers(material.probes, places, said)
    return figures


def _scored(tool: Tool, python: Path, folder: Path, kind: str, pairs: Sequence[Pair]) -> Score:
    places, said, seconds = _said(tool, python, folder / kind / _slug(tool), pairs)
    return score(pairs, places, said, seconds)


def _said(
    tool: Tool, python: Path, root: Path, pairs: Sequence[Pair]
) -> tuple[Mapping[str, tuple[Path, Path]], Said, float]:
    places = programs.written(pairs, root)
    began = time.perf_counter()
    said = tool.check(python, root, [path for both in places.values() for path in both])
    return places, said, time.perf_counter() - began


def _slug(tool: Tool) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in tool.name)


def _short(figures: Mapping[str, Any]) -> str:
    if "unusable" in figures:
        return str(figures["unusable"])
    scores = [
        f"{kind} {figures[kind]['caught']}/{figures[kind]['pairs']}" for kind in ("pairs", "twins") if kind in figures
    ]
    return ", ".join([*scores, f"answers {sum(figures['answers'].values())}/{len(figures['answers'])}"])


def table(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Scores on the pairs and the twins, and the questions with a yes."""
    rows: list[list[object]] = [
        ["tool", "pairs", "caught", "on its line", "silent", "false", "s each", "twins", "false", "yes"]
    ]
    for name, one in found.items():
        if "unusable" in one:
            rows.append([f"{name}: {one['unusable']}", *[""] * 9])
        else:
            rows.append([name, *_cells(one)])
    return measure.table(rows)


def _cells(one: Mapping[str, Any]) -> Iterator[object]:
    if pairs := one.get("pairs"):
        yield from (pairs["pairs"], pairs["caught"], pairs["in_place"], f"{pairs['silent_caught']}/{pairs['silent']}")
        yield from (pairs["false"], f"{pairs['seconds']:.2f}")
    else:
        yield from [""] * 6
    yield from (f"{one['twins']['caught']}/{one['twins']['pairs']}", one["twins"]["false"])
    yield f"{sum(one['answers'].values())}/{len(one['answers'])}"


def ratios_of(found: Mapping[str, Mapping[str, Any]]) -> Iterator[Ratio]:
    """Ours against the best of the others, as shares of what each was given."""
    usable = {name: one for name, one in found.items() if "pairs" in one}
    check = usable.get("shapecheck check")
    still = {name: one for name, one in usable.items() if not one["ours"] and not one["runs"]}
    if check and still:
        yield _ahead(
            "errors found without running the program: share of check minus that of", check, still, ("caught", "pairs")
        )
        yield Ratio("correct programs of tests/cases that check reports", check["pairs"]["false"], 0)
    checked = usable.get("@shapecheck.checked and guard")
    running = {name: one for name, one in usable.items() if not one["ours"] and one["runs"]}
    if checked and running:
        words = "silent errors found at run time: share of checked and guard minus that of"
        yield _ahead(words, checked, running, ("silent_caught", "silent"))


def _ahead(
    words: str, own: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]], parts: tuple[str, str]
) -> Ratio:
    best = max(others, key=lambda name: _share(others[name], *parts))
    return Ratio(f"{words} {best}", _share(own, *parts) - _share(others[best], *parts), 0, at_least=True)


def _share(one: Mapping[str, Any], part: str, whole: str) -> float:
    return float(one["pairs"][part] / max(1, one["pairs"][whole]))


if __name__ == "__main__":
    main()
