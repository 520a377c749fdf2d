"""The time from a keystroke to new diagnostics and new hints, in the language server.

python -m benchmarks.editor FILE... [--edits N] [--rivals DIRECTORY] [--save]

Each FILE is opened as it is, in the directory of the nearest pyproject.toml; nothing is written. An edit appends a
character to a comment inside of the file, after the last report has arrived: the server waits 0.15 s for further edits,
and this is part of the time. "cold" is the time from the start of the process to the first diagnostics. With --rivals,
the servers of other tools get the same edits; DIRECTORY has their environments. `benchmarks.editor_answers` shows what
they answer.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks import measure, store
from benchmarks.language_servers import OURS, LanguageServer, NoAnswer, Session, rivals
from benchmarks.ratios import Ratio

TARGET = 0.3
"""Seconds in a file of at most `LINES` lines."""
TARGET_BEYOND = 1.0
LINES = 500
PATIENCE = 15.0
"""Seconds after which an edit counts as one that the server does not react to."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--rivals", type=Path, metavar="DIRECTORY")
    store.add_option(parser)
    arguments = parser.parse_args()
    servers = [OURS, *(rivals(arguments.rivals) if arguments.rivals else ())]
    figures: dict[str, Any] = {}
    rows: list[tuple[object, ...]] = [("file", "lines", "server", "cold", "median", "p95", "hints")]
    for file in arguments.files:
        lines = len(file.read_text().splitlines())
        figures[file.name] = {"lines": lines, "servers": {}}
        for server in servers:
            figures[file.name]["servers"][server.name] = found = asyncio.run(
                measured(server, file.absolute(), arguments.edits)
            )
            rows.append((file.name, lines, server.name, *_row(found)))
    print(measure.table(rows))
    ratios = [
        Ratio(
            f"seconds from a keystroke in {name} to diagnostics and hints",
            one["servers"][OURS.name]["median"],
            TARGET if one["lines"] <= LINES else TARGET_BEYOND,
        )
        for name, one in figures.items()
    ]
    print(*(one.line() for one in ratios), sep="\n")
    store.keep(arguments.save, "editor", {"files": figures}, ["shapecheck", "pygls"], ratios)


def _row(found: dict[str, Any]) -> tuple[object, ...]:
    if "silent" in found:
        return (found["silent"], "", "", "")
    return (*(f"{found[key]:.2f} s" for key in ("cold", "median", "p95")), found["hints"])


async def measured(server: LanguageServer, file: Path, edits: int) -> dict[str, Any]:
    """The seconds of one server; `silent` says why there are none."""
    session = Session(file, server)
    began = time.perf_counter()
    try:
        await session.start()
        if not await session.published():
            return {"silent": "publishes no diagnostics"}
        cold = time.perf_counter() - began
        hints = len(await session.hints())
        times = []
        for number in range(1, edits + 1):
            began = time.perf_counter()
            session.edit(_edited(file, number))
            if not await session.published(PATIENCE):
                return {"silent": f"publishes nothing within {PATIENCE:.0f} s of an edit"}
            hints = len(await session.hints())
            times.append(time.perf_counter() - began)
            await asyncio.sleep(0.05)
    except NoAnswer as error:
        return {"silent": f"does not work: {error}"}
    finally:
        await session.stop()
    ordered = sorted(times)
    slow = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {"cold": cold, "median": statistics.median(times), "p95": slow, "hints": hints}


def _edited(file: Path, number: int) -> str:
    """The text with a comment in the middle, which has another character after each edit."""
    lines = file.read_text().splitlines()
    lines.insert(len(lines) // 2, "# " + "x" * number)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
