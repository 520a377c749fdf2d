"""Speed and memory of `shapecheck fix` against TorchFix, a LibCST pass, ruff and pyupgrade, side by side in one run.

    python -m benchmarks.fix DIRECTORY [--rounds N] [--torchfix-rounds N] [--torchfix-sample N] [--rivals DIRECTORY]
        [--save]

DIRECTORY is a source tree; the documentation shows the figures of transformers. Only copies of it are changed. All
tools that can use two processes get two. TorchFix needs minutes: it runs on request, on all files or on an evenly
spread sample, whose time is compared with ours on the same sample.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import environments, measure, store, trees
from benchmarks.measure import Summary
from benchmarks.ratios import Ratio

JOBS = 2
RIVALS = ("torchfix", "pyupgrade")
FIRST, AGAIN = "fix, first", "fix --check, up to date"
ALL_FIRST, ALL_AGAIN = f"{FIRST}, generated too", f"{AGAIN}, generated too"
LIBCST, TORCHFIX = "libcst parse + codegen", "torchfix"
FIRST_TARGET, AGAIN_TARGET, TORCHFIX_TARGET, MEMORY_TARGET = 0.6, 0.12, 20, 400


@dataclass(frozen=True, slots=True)
class Contestant:
    """A command that is run on a tree of its own, and whether that tree is created again each time."""

    name: str
    argv: Sequence[str]
    tree: str
    fresh: bool = False


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        python = environments.python_of(arguments.rivals or scratch / "rivals", "codemods", RIVALS)
        source = scratch / "source"
        trees.copy_sources(arguments.folder.resolve(), source)
        files = trees.python_files(source)
        print(f"{len(files)} files, {sum((source / name).stat().st_size for name in files) / 1e6:.1f} MB")
        summaries = compete(list(_contestants(python.parent, files)), source, scratch, arguments.rounds)
        sample: dict[str, Any] = {}
        if arguments.torchfix_rounds:
            sample = against_torchfix(arguments, python.parent, source, scratch)
        installed = environments.versions(python, RIVALS)
    ratios = list(_ratios(summaries, sample))
    _report(summaries, sample)
    print(*(one.line() for one in ratios), sep="\n")
    figures = {"files": len(files), "commands": summaries, "torchfix": sample, "rivals": installed}
    store.keep(arguments.save, "fix", figures, ["shapecheck", "libcst", "ruff"], ratios)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIRECTORY")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--torchfix-rounds", type=int, default=0, help="0 skips TorchFix")
    parser.add_argument("--torchfix-sample", type=int, help="maximum number of files for TorchFix, evenly spread")
    parser.add_argument(
        "--rivals", type=Path, help="directory in which to keep the environment of torchfix and pyupgrade"
    )
    store.add_option(parser)
    return parser.parse_args()


def _contestants(commands: Path, files: Sequence[str]) -> Iterator[Contestant]:
    ours = [*measure.SHAPECHECK, "fix", "--quiet", "--jobs", str(JOBS)]
    yield Contestant(FIRST, [*ours, "."], "ours", fresh=True)
    yield Contestant(AGAIN, [*ours, "--check", "."], "ours")
    yield Contestant(ALL_FIRST, [*ours, "--include-generated", "."], "all", fresh=True)
    yield Contestant(ALL_AGAIN, [*ours, "--include-generated", "--check", "."], "all")
    libcst = [sys.executable, "-m", "benchmarks.libcst_pass", ".", "--jobs", str(JOBS)]
    yield Contestant(LIBCST, libcst, "source")
    yield Contestant("ruff check", ["ruff", "check", "--isolated", "--no-cache", "--quiet", "."], "source")
    half = -(-len(files) // JOBS)
    spread = ["xargs", "-a", "files.txt", "-P", str(JOBS), "-n", str(half), str(commands / "pyupgrade")]
    yield Contestant("pyupgrade", [*spread, "--py310-plus"], "pyupgrade", fresh=True)


def compete(contestants: Sequence[Contestant], source: Path, scratch: Path, rounds: int) -> dict[str, measure.Summary]:
    """Each round runs everybody once, so that a busy moment hits all of them."""
    runs: dict[str, list[measure.Run]] = {one.name: [] for one in contestants}
    for round_ in range(rounds):
        for one in contestants:
            tree = scratch / one.tree
            if one.fresh:
                _copy_afresh(source, tree)
            run = measure.run(one.argv, tree)
            runs[one.name].append(run)
            print(
                f"round {round_ + 1}: {one.name}: {run.seconds:.1f} s, {run.peak_mb:.0f} MB, exit {run.status}",
                flush=True,
            )
    return {name: measure.summarise(several) for name, several in runs.items()}


def _copy_afresh(source: Path, tree: Path) -> None:
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree)
    (tree / "files.txt").write_text("\n".join(trees.python_files(source)))


def against_torchfix(arguments: argparse.Namespace, commands: Path, source: Path, scratch: Path) -> dict[str, Any]:
    """TorchFix and ours on the same files: all of them, or a sample."""
    files = trees.python_files(source)
    size = min(arguments.torchfix_sample or len(files), len(files))
    sample = scratch / "sample"
    for index in range(size):
        name = files[index * len(files) // size]
        (sample / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, sample / name)
    torchfix = [str(commands / "torchfix"), "--fix", "--jobs", str(JOBS), "--select", "ALL", "."]
    ours = [*measure.SHAPECHECK, "fix", "--quiet", "--jobs", str(JOBS), "."]
    everything = [*ours[:-1], "--include-generated", "."]
    contestants = [
        Contestant(TORCHFIX, torchfix, "torchfix", fresh=True),
        Contestant(FIRST, ours, "ours on the sample", fresh=True),
        Contestant(ALL_FIRST, everything, "all of the sample", fresh=True),
    ]
    return {
        "files": size,
        "of": len(files),
        "commands": compete(contestants, sample, scratch, arguments.torchfix_rounds),
    }


def _report(summaries: dict[str, Summary], sample: dict[str, Any]) -> None:
    base = summaries[LIBCST].seconds
    rows: list[tuple[object, ...]] = [("command", "median s", "cpu s", "x libcst", "peak MB", "exit")]
    rows += [_row(name, one, base) for name, one in summaries.items()]
    print(measure.table(rows))
    if not sample:
        print("torchfix: left out (--torchfix-rounds 1)")
        return
    print(f"torchfix, on {sample['files']} of {sample['of']} files:")
    times: dict[str, Summary] = sample["commands"]
    print(measure.table([rows[0], *(_row(name, one, base) for name, one in times.items())]))


def _ratios(summaries: dict[str, Summary], sample: dict[str, Any]) -> Iterator[Ratio]:
    base = summaries[LIBCST].seconds
    for first, again in ((FIRST, AGAIN), (ALL_FIRST, ALL_AGAIN)):
        yield Ratio(f"{first}, relative to {LIBCST}", summaries[first].seconds / base, FIRST_TARGET)
        yield Ratio(f"{again}, relative to {LIBCST}", summaries[again].seconds / base, AGAIN_TARGET)
    yield Ratio(
        "peak MB of fix", max(summaries[one].peak_mb for one in (FIRST, AGAIN, ALL_FIRST, ALL_AGAIN)), MEMORY_TARGET
    )
    for name in (FIRST, ALL_FIRST) if sample else ():
        ratio = sample["commands"][TORCHFIX].seconds / sample["commands"][name].seconds
        yield Ratio(f"TorchFix relative to {name}", ratio, TORCHFIX_TARGET, at_least=True)


def _row(name: str, one: Summary, base: float) -> tuple[object, ...]:
    return (
        name,
        f"{one.seconds:.2f}",
        f"{one.cpu_seconds:.1f}",
        f"{one.seconds / base:.3f}",
        f"{one.peak_mb:.0f}",
        " ".join(map(str, one.statuses)),
    )


if __name__ == "__main__":
    main()
