"""All benchmarks that can run here, those of the rivals included, and one table of the figures and their targets.

    python -m benchmarks [--only NAME ...] [--within MINUTES | --quick] [--repos DIRECTORY] [--jaxtyping CHECKOUT]
                         [--rivals DIRECTORY]
    python -m benchmarks --list

The figures go to `benchmarks/results/<machine>.json`; those of a benchmark that is skipped or fails stay as they were.
`--within` begins with the oldest figures and skips what takes longer than the minutes that are left. `--quick` runs the
least of each, as a test, and keeps no figures. Exit code 1: one of them failed.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import store
from benchmarks.registry import BENCHMARKS, Benchmark
from benchmarks.running import Outcome, run_all


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    chosen = [one for one in BENCHMARKS if not options.only or one.name in options.only]
    console = Console(width=None if sys.stdout.isatty() else 140)
    if options.list:
        console.print(listing(chosen))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        folders = {"repos": options.repos, "jaxtyping": options.jaxtyping, "scratch": scratch}
        folders["rivals"] = options.rivals or scratch / "rivals"
        file = scratch / "quick.json" if options.quick else store.results_file(options.machine)
        outcomes = list(run_all(chosen, folders, file, quick=options.quick, within=options.within))
    console.print(table(outcomes))
    return int(any(one.failed for one in outcomes))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [one.name for one in BENCHMARKS]
    parser.add_argument("--only", nargs="+", choices=names, default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="list the benchmarks; run none")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--quick", action="store_true", help="run the least of each; keep no figures")
    extent.add_argument("--within", type=_minutes, metavar="MINUTES", help="measure the oldest figures first")
    parser.add_argument("--repos", type=_folder, help="directory of public repositories, which are only read")
    parser.add_argument("--jaxtyping", type=_folder, help="checkout of jaxtyping 0.3.11, for its test suite")
    parser.add_argument(
        "--rivals", type=Path, help="directory in which to keep the rivals' environments; by default a temporary one"
    )
    parser.add_argument("--machine", help="name of the results file; by default processor, cores and system")
    return parser.parse_args(argv)


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes < math.inf:
        raise argparse.ArgumentTypeError(f"expected a positive number of minutes, got {text!r}")
    return minutes


def _folder(text: str) -> Path:
    path = Path(text).absolute()
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"no such directory: {text}")
    return path


def listing(chosen: Iterable[Benchmark]) -> Table:
    """Names, times, claims and commands."""
    made = Table("benchmark", "minutes", "claim", "command")
    for one in chosen:
        made.add_row(one.name, f"{one.minutes:g}", one.claim, one.command)
    return made


def table(outcomes: Iterable[Outcome]) -> Table:
    """A row a ratio; one line where there is none."""
    made = Table("benchmark", "figure", "value", "target", "", title="What was measured")
    for one in outcomes:
        for index, ratio in enumerate(one.ratios):
            verdict = "[green]met" if ratio.met else "[red]MISSED"
            made.add_row("" if index else one.name, ratio.what, ratio.shown, ratio.wanted, verdict)
        if one.failed or one.skipped:
            made.add_row(one.name, one.failed or one.skipped, "", "", "[red]FAILED" if one.failed else "skipped")
    return made


if __name__ == "__main__":
    sys.exit(main())
