"""`shapecheck check` and Pyrefly on the packages of the primer, in turns: time, memory, and evaluations per line.

    python -m benchmarks.speed [DIRECTORY] [--only NAME ... | --quick] [--part times|evaluations|file|all] [--json FILE]

The packages are those of `benchmarks.primer`, which are only read. Both tools check each package without a cache, with
the environment that runs this, `check` in `--jobs` processes. The evaluations are those of `benchmarks.evaluations`,
which depend neither on the machine nor on its load. `file` is the time of one small model, which is mostly the start.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import geometric_mean, median

from benchmarks import measure, peaks, store, trees
from benchmarks.check import GROWING
from benchmarks.command_line import add_chosen, finished, parser_of, positive
from benchmarks.evaluations import Evaluations
from benchmarks.primer.errors import FetchError
from benchmarks.primer.fetching import Fetcher
from benchmarks.primer.packages import PINS, Package, pinned
from benchmarks.ratios import Ratio

TARGETS = {"mean": 1.2, "sum": 1.5, "worst": 3.0, "file": 0.6}
"""At most this many times Pyrefly's time."""
MOST_MB = 600
OF_LINES = 650_000
"""The memory target is for packages with at most so many lines."""
MOST_EVALUATIONS = 12
"""For each line of source, in each package."""
_FILE_ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Measured:
    """One package."""

    name: str
    version: str
    files: int
    lines: int
    check: measure.Run | None = None
    pyrefly: measure.Run | None = None
    counts: Evaluations | None = None

    @property
    def ratio(self) -> float:
        assert self.check is not None
        assert self.pyrefly is not None
        return self.check.seconds / self.pyrefly.seconds


def main(argv: Sequence[str] | None = None, pins: Path = PINS) -> int:
    packages = pinned(pins)
    options = _options(argv, packages)
    pyrefly = shutil.which("pyrefly", path=str(Path(sys.executable).parent)) or shutil.which("pyrefly")
    if pyrefly is None and options.part != "evaluations":
        print("pyrefly is not installed: python -m pip install pyrefly", file=sys.stderr)
        return 2
    chosen = [one for one in packages if one.name in options.only or (one.quick if options.quick else not options.only)]
    found = list(_measured(chosen, options, pyrefly or "")) if options.part != "file" else []
    file = single_file(pyrefly) if pyrefly and options.part in ("file", "all") else {}
    ratios = [*ratios_of(found), *_of_file(file)]
    print("", *(one.line() for one in ratios), sep="\n")
    figures = {"packages": [asdict(one) for one in found], "file": file}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1, default=asdict) + "\n")
    store.keep(options.save, "speed", figures, ["shapecheck", "pyrefly"], ratios)
    return 0


def _options(argv: Sequence[str] | None, packages: Sequence[Package]) -> argparse.Namespace:
    parser = parser_of("speed", __doc__, "packages of the primer")
    add_chosen(parser, [one.name for one in packages])
    parser.add_argument("--part", choices=("times", "evaluations", "file", "all"), default="all")
    parser.add_argument("--jobs", type=positive, default=2, metavar="N", help="processes of check; by default 2")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to FILE")
    store.add_option(parser)
    return finished(parser, argv)


def _measured(chosen: Iterable[Package], options: argparse.Namespace, pyrefly: str) -> Iterator[Measured]:
    """Prints a row for each package as soon as it is measured."""
    fetcher = Fetcher(options.directory)
    print(_row("package", _HEAD), flush=True)
    for package in chosen:
        try:
            root = fetcher.fetched(package)
        except FetchError as error:
            print(f"not measured: {package.name} {package.version}: {error}", file=sys.stderr)
            continue
        one = measured(package, root, options, pyrefly)
        print(_row(f"{one.name} {one.version}", _cells(one)), flush=True)
        yield one


def measured(package: Package, root: Path, options: argparse.Namespace, pyrefly: str) -> Measured:
    """The figures of one package; both tools start from the directory above it, which has no modules."""
    files = trees.python_files(root)
    lines = sum((root / name).read_bytes().count(b"\n") for name in files)
    check = rival = counts = None
    if options.part in ("times", "all"):
        check = peaks.run(_check(root.name, options.jobs), root.parent)
        rival = peaks.run(_pyrefly(pyrefly, root.name), root.parent, extra={"PYTHONPATH": ""})
    if options.part in ("evaluations", "all"):
        counts = _counted(root)
    return Measured(package.name, package.version, len(files), lines, check, rival, counts)


def _check(path: str, jobs: int) -> list[str]:
    return [
        *measure.SHAPECHECK,
        *"check --no-cache --quiet --jobs".split(),
        str(jobs),
        "--python",
        sys.executable,
        path,
    ]


def _pyrefly(pyrefly: str, path: str) -> list[str]:
    return [pyrefly, *"check --output-format min-text --python-interpreter-path".split(), sys.executable, path]


def _counted(root: Path) -> Evaluations:
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "counts.json")
        argv = [sys.executable, "-m", "benchmarks.evaluations", root.name]
        run = measure.run(argv, root.parent, report)
        if run.status:
            raise RuntimeError(f"evaluations of {root.name}: exit {run.status}\n{report.read_text()[-2000:]}")
        return Evaluations(**json.loads(report.read_text().splitlines()[-1]))


def single_file(pyrefly: str) -> dict[str, float]:
    """The median seconds of both tools for one small model."""
    seconds: dict[str, list[float]] = {"check": [], "pyrefly": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "model.py").write_text(GROWING.replace("{n}", ""))
        commands = {"check": _check("model.py", 1), "pyrefly": _pyrefly(pyrefly, "model.py")}
        for round_ in range(_FILE_ROUNDS + 1):
            for name, command in commands.items():
                one = measure.run(command, folder)
                if round_:  # the first only fills the caches of the system
                    seconds[name].append(one.seconds)
    medians = {name: median(several) for name, several in seconds.items()}
    print("\none small file: " + ", ".join(f"{name} {value * 1e3:.0f} ms" for name, value in medians.items()))
    return medians


_HEAD = (
    "files",
    "lines",
    "check s",
    "pyrefly s",
    "ratio",
    "check MB",
    "pyrefly MB",
    "evaluations",
    "per line",
    "again %",
)
_NAME = 40


def _row(name: str, cells: Sequence[str]) -> str:
    return "  ".join([name.ljust(_NAME), *(cell.rjust(len(head)) for cell, head in zip(cells, _HEAD, strict=True))])


def _cells(one: Measured) -> list[str]:
    times, counts = ["-"] * 5, ["-"] * 3
    if one.check and one.pyrefly:
        seconds = [f"{one.check.seconds:.2f}", f"{one.pyrefly.seconds:.2f}", f"{one.ratio:.2f}"]
        times = [*seconds, f"{one.check.peak_mb:.0f}", f"{one.pyrefly.peak_mb:.0f}"]
    if one.counts:
        counts = [f"{one.counts.evaluations:,}", f"{one.counts.per_line(one.lines):.1f}"]
        counts.append(f"{100 * one.counts.repeated:.1f}")
    return [f"{one.files:,}", f"{one.lines:,}", *times, *counts]


def ratios_of(found: Sequence[Measured]) -> Iterator[Ratio]:
    """The figures over all packages, with their targets."""
    timed = [(one, one.check, one.pyrefly) for one in found if one.check is not None and one.pyrefly is not None]
    if timed:
        mean = geometric_mean(one.ratio for one, _, _ in timed)
        total = sum(check.seconds for _, check, _ in timed) / sum(rival.seconds for _, _, rival in timed)
        worst = max((one for one, _, _ in timed), key=lambda one: one.ratio)
        start = "check of primer packages relative to Pyrefly"
        yield Ratio(f"{start}, geometric mean of {len(timed)}", mean, TARGETS["mean"])
        yield Ratio(f"{start}, sum of times", total, TARGETS["sum"])
        yield Ratio(f"{start}, worst ({worst.name})", worst.ratio, TARGETS["worst"])
        peak = max((check.peak_mb for one, check, _ in timed if one.lines <= OF_LINES), default=0.0)
        yield Ratio(f"peak MB of check, packages up to {OF_LINES:,} lines", peak, MOST_MB)
        print(f"\npeak MB of all packages: check {max(check.peak_mb for _, check, _ in timed):.0f}", end="")
        print(f", Pyrefly {max(rival.peak_mb for _, _, rival in timed):.0f}")
    yield from _of_counts([(one, one.counts) for one in found if one.counts is not None])


def _of_counts(counted: Sequence[tuple[Measured, Evaluations]]) -> Iterator[Ratio]:
    if counted:
        most, counts = max(counted, key=lambda pair: pair[1].per_line(pair[0].lines))
        total = sum((each for _, each in counted), Evaluations())
        lines = sum(one.lines for one, _ in counted)
        print(f"\nevaluations: {total.evaluations:,}, {total.per_line(lines):.1f} per line, ", end="")
        print(f"{total.repeated:.1%} of them again")
        yield Ratio(f"evaluations per line, worst ({most.name})", counts.per_line(most.lines), MOST_EVALUATIONS)


def _of_file(seconds: Mapping[str, float]) -> Iterator[Ratio]:
    if seconds:
        yield Ratio(
            "check of one small file relative to Pyrefly", seconds["check"] / seconds["pyrefly"], TARGETS["file"]
        )


if __name__ == "__main__":
    sys.exit(main())
