"""How much longer mypy takes with the plugin than without, with an empty cache and with a full one.

python -m benchmarks.mypy_plugin PATH [PATH ...] [--rounds N] [--warm-rounds N] [--save]

Each PATH is a file or directory of source; mypy runs in its parent directory and writes nothing there. The table has
the time on the clock, and the CPU time of mypy's own process, which other programs on the machine disturb less. The
process that the plugin starts may continue after mypy; each run begins when that of the run before has ended. mypy does
not wait for findings, as outside of continuous integration.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

from benchmarks import measure, store
from benchmarks.ratios import Ratio
from shapecheck.project.requests import is_continued

CANNOT_RUN = 2
TARGET = 1.05
CONFIGURATIONS = {"without": "[mypy]\n", "with": "[mypy]\nplugins = shapecheck.mypy\n"}
STATES = ("cold", "warm")
_START = 0.3
"""Seconds in which the process notices that mypy has ended."""
TIMES = {"seconds": "clock", "cpu_seconds": "CPU"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--rounds", type=int, default=3, help="rounds with an empty cache; one takes about 30 s")
    parser.add_argument("--warm-rounds", type=int, default=9)
    store.add_option(parser)
    arguments = parser.parse_args()
    rows: list[tuple[object, ...]] = [("source", "cache", "time", "without s", "with s", "ratio", f"target {TARGET}")]
    ratios: list[Ratio] = []
    figures: dict[str, dict[str, measure.Summary]] = {}
    for path in arguments.paths:
        summaries = compare(path.resolve(), arguments.rounds, arguments.warm_rounds)
        figures[path.name] = summaries
        rows += _rows(path.name, summaries)
        ratios += _ratios(path.name, summaries)
    print(measure.table(rows))
    store.keep(arguments.save, "mypy_plugin", figures, ["shapecheck", "mypy", "torch"], ratios)


def compare(path: Path, rounds: int, warm_rounds: int) -> dict[str, measure.Summary]:
    """Both configurations in turns, so that a busy moment hits both."""
    runs: dict[str, list[measure.Run]] = {f"{state} {name}": [] for state in STATES for name in CONFIGURATIONS}
    with tempfile.TemporaryDirectory() as folder:
        for state, count in (("cold", rounds), ("warm", warm_rounds)):
            for _ in range(count):
                for name, text in CONFIGURATIONS.items():
                    config, cache = Path(folder, f"{name}.ini"), Path(folder, name)
                    config.write_text(text)
                    if state == "cold":
                        rmtree(cache, ignore_errors=True)
                    run = measure.run(_command(path, config, cache), path.parent, extra={"CI": ""})
                    runs[f"{state} {name}"].append(run)
                    _wait_for_background(cache)
    if any(run.status == CANNOT_RUN for done in runs.values() for run in done):
        raise SystemExit(f"mypy cannot check {path.name}: run it there and see")
    return {name: measure.summarise(done) for name, done in runs.items()}


def _wait_for_background(cache: Path) -> None:
    """Until the process that the plugin has started ends."""
    time.sleep(_START)
    while any(is_continued(str(log)) for log in cache.glob("shapecheck/findings-*.jsonl")):
        time.sleep(_START)


def _command(path: Path, config: Path, cache: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "mypy", "--config-file", str(config), "--cache-dir", str(cache)),
        *("--ignore-missing-imports", path.name),
    ]


def _ratios(name: str, summaries: dict[str, measure.Summary]) -> Iterator[Ratio]:
    for state in STATES:
        without, with_it = (summaries[f"{state} {one}"].seconds for one in CONFIGURATIONS)
        yield Ratio(
            f"mypy with the plugin on {name}, {state} cache, relative to mypy without it", with_it / without, TARGET
        )


def _rows(name: str, summaries: dict[str, measure.Summary]) -> Iterator[tuple[object, ...]]:
    for state in STATES:
        for field, words in TIMES.items():
            without, with_it = (getattr(summaries[f"{state} {one}"], field) for one in CONFIGURATIONS)
            ratio = with_it / without
            verdict = "met" if ratio <= TARGET else "MISSED"
            yield name, state, words, f"{without:.2f}", f"{with_it:.2f}", f"{ratio:.3f}", verdict


if __name__ == "__main__":
    main()
