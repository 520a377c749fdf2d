"""The time until the playground is ready, and from a keystroke in it to new findings and shapes, in headless Chromium.

python -m benchmarks.playground [FILE...] [--loads N] [--edits N] [--save]

Needs the built page (`nox -s playground`) and Chromium. It is served on this machine, so a network is not part of the
time. "ready" is the time from the request of the page, in a new browser without a cache, until Python and the engine
can check. "CPU" is what all processes of the browser compute until the first answer; other programs on the machine
change it little. An edit appends a character to a comment in the middle of the text, after the last answer has arrived:
the page waits 0.1 s for further edits, and this is part of the time. It checks what the edit is about; the complete
check that follows when edits pause is not part of it. FILE: by default two of the examples.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

import psutil

from benchmarks import measure, store
from benchmarks.ratios import Ratio
from benchmarks.running import CANNOT_RUN
from tests.harness.show.browser import started
from tests.playground.page import BUILT, HOW_TO_BUILD, Playground, served

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
READY, ANSWER = 5.0, 0.5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = [EXAMPLES / "broken/vae.py", EXAMPLES / "llama_70b.py"]
    parser.add_argument("files", nargs="*", type=Path, default=files, metavar="FILE")
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--edits", type=int, default=20)
    store.add_option(parser)
    arguments = parser.parse_args()
    if not (BUILT / "shapecheck.zip").is_file():
        print(HOW_TO_BUILD, file=sys.stderr)
        return CANNOT_RUN
    with served() as address:
        loads = [loaded(address) for _ in range(arguments.loads)]
        answers = {one.name: answered(address, one.read_text(), arguments.edits) for one in arguments.files}
    ready, cpu = (statistics.median(column) for column in zip(*loads, strict=True))
    print(f"ready: {ready:.2f} s, CPU {cpu:.2f} s (medians of {len(loads)})")
    rows: list[tuple[object, ...]] = [("file", "lines", "median", "p95")]
    rows += [(name, one["lines"], f"{one['median']:.2f} s", f"{one['p95']:.2f} s") for name, one in answers.items()]
    print(measure.table(rows))
    ratios = [Ratio("seconds until the playground is ready", ready, READY)]
    ratios += [
        Ratio(f"seconds from a keystroke in {name} to findings", one["p95"], ANSWER) for name, one in answers.items()
    ]
    print(*(one.line() for one in ratios), sep="\n")
    figures = {"ready": ready, "ready_cpu": cpu, "answers": answers}
    store.keep(arguments.save, "playground", figures, ["shapecheck", "playwright"], ratios)
    return 0


def loaded(address: str) -> tuple[float, float]:
    """The seconds until a page of a new browser is ready, and those that its processes compute."""
    with started() as browser:
        page = Playground(browser, address)
        before = _computed()
        page.open()
        computed = _computed() - before
        milliseconds: float = page.page.evaluate("performance.getEntriesByName('ready')[0].startTime")
        return milliseconds / 1000, computed


def _computed() -> float:
    """The CPU seconds of all processes below this one that still run."""
    total = 0.0
    for one in psutil.Process().children(recursive=True):
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def answered(address: str, text: str, edits: int) -> dict[str, Any]:
    """The seconds from an edit to its answer, in a page that is ready."""
    with started() as browser:
        page = Playground(browser, address).open()
        lines = text.splitlines()
        middle = len(lines) // 2
        lines.insert(middle, "#")
        page.write("\n".join(lines))
        keyboard = page.page.keyboard
        for key in ("Control+Home", *["ArrowDown"] * middle, "End"):
            keyboard.press(key)
        page.page.evaluate("performance.clearMeasures()")
        for _ in range(edits):
            keyboard.type("x")
            page.answered()
            page.page.wait_for_timeout(50)
        times = sorted(page.page.evaluate("performance.getEntriesByName('answer').map(one => one.duration / 1000)"))
        slow = times[min(len(times) - 1, int(0.95 * len(times)))]
        return {"lines": len(lines), "median": statistics.median(times), "p95": slow}


if __name__ == "__main__":
    sys.exit(main())
