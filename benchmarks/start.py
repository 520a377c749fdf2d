"""How long the start takes: `--help`, and `fix` on one small file, against Python's own start and LibCST's import.

python -m benchmarks.start [--rounds N] [--save]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import measure, store
from benchmarks.ratios import Ratio

HELP_TARGET = 0.15
SMALL = """\
from torch import Tensor, nn


class Head(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    store.add_option(parser)
    arguments = parser.parse_args()
    summaries = measure_starts(arguments.rounds)
    bare = summaries["python -c pass"].seconds
    rows: list[tuple[object, ...]] = [("command", "median ms", "x python", "peak MB", "exit")]
    rows += [
        (name, f"{one.seconds * 1e3:.0f}", f"{one.seconds / bare:.1f}", f"{one.peak_mb:.0f}", one.statuses)
        for name, one in summaries.items()
    ]
    print(measure.table(rows))
    ratios = [Ratio("CPU seconds of shapecheck --help", summaries["shapecheck --help"].cpu_seconds, HELP_TARGET)]
    print(*(one.line() for one in ratios), sep="\n")
    store.keep(arguments.save, "start", {"commands": summaries}, ["shapecheck", "click", "libcst"], ratios)


def measure_starts(rounds: int) -> dict[str, measure.Summary]:
    """Medians of `rounds` rounds; each round runs every command once, so that a busy moment hits all of them."""
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.py")
        commands = {
            "python -c pass": (sys.executable, "-c", "pass"),
            "import libcst": (sys.executable, "-c", "import libcst"),
            "shapecheck --help": (*measure.SHAPECHECK, "--help"),
            "shapecheck fix, first": (*measure.SHAPECHECK, "fix", "--quiet", small.name),
            "shapecheck fix, again": (*measure.SHAPECHECK, "fix", "--quiet", small.name),
        }
        runs: dict[str, list[measure.Run]] = {name: [] for name in commands}
        for round_ in range(rounds + 1):
            small.write_text(SMALL)
            for name, command in commands.items():
                one = measure.run(command, small.parent)
                if round_:  # the first only fills the caches
                    runs[name].append(one)
    return {name: measure.summarise(several) for name, several in runs.items()}


if __name__ == "__main__":
    main()
