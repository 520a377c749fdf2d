"""Where a process was when it ended: faulthandler writes that to a file, from any state of the interpreter."""

from __future__ import annotations

import faulthandler
import re
import signal
from pathlib import Path
from typing import IO

from shapecheck.harness.work.findings import Place, of_program

_LINE = re.compile(r'^  File "(.+)", line (\d+) in ', re.MULTILINE)
_CURRENT = re.compile(r"^(?:Current thread|Stack) .*$", re.MULTILINE)
ASK = getattr(signal, "SIGUSR1", None)
"""The signal that asks for a trace."""


def write_traces(file: IO[str]) -> None:
    """Write the stack of this process on request, or when a signal kills it."""
    faulthandler.enable(file, all_threads=False)
    if ASK is not None:
        faulthandler.register(ASK, file, all_threads=False, chain=False)


def place_in(trace: Path, root: Path) -> Place | None:
    """The innermost line of the program in a trace: below `root`, otherwise outside libraries."""
    try:
        text = trace.read_text(errors="replace")
    except OSError:
        return None
    lines = [(file, int(line)) for file, line in _LINE.findall(_CURRENT.split(text)[-1])]
    return of_program(lines, root)
