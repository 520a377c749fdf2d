"""The environment in which every Python process of a command records its calls."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from shapecheck.record.session import CallRecording
from shapecheck.record.store import RecordError

_FILE, _ROOT = "SHAPECHECK_RECORD", "SHAPECHECK_RECORD_ROOT"
_STARTUP = Path(__file__).parent / "startup"
"""A directory with a module `sitecustomize`, which Python imports when it starts."""
_PYTHON = re.compile(r"python(\d+(\.\d+)?)?(\.exe)?", re.IGNORECASE)
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")


def environment(file: Path, root: Path, base: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command whose calls are recorded."""
    paths = os.pathsep.join(filter(None, (str(_STARTUP), base.get("PYTHONPATH"))))
    return {**base, _FILE: str(file.absolute()), _ROOT: str(root), "PYTHONPATH": paths}


def recorded_command(command: Sequence[str]) -> list[str]:
    """The command; a script is run by `python -m shapecheck.record`, so that its own functions are recorded."""
    words = list(command)
    if words[0].endswith(".py"):
        words.insert(0, sys.executable)
    if not _PYTHON.fullmatch(Path(words[0]).name):
        return words
    place = 1
    while place < len(words) and words[place].startswith("-"):
        if words[place] in ("-c", "-m", "-", "--help", "--version") or words[place].startswith(("-c", "-m")):
            return words
        place += 1 + (words[place] in _WITH_VALUE)
    return words if place >= len(words) else [*words[:place], "-m", "shapecheck.record", *words[place:]]


def start_from_environment() -> None:
    """Starts the recording that the environment requests, in a new process."""
    file = os.environ.get(_FILE)
    if file:
        try:
            CallRecording(Path(file), Path(os.environ.get(_ROOT, "."))).start()
        except RecordError as error:
            sys.stderr.write(f"shapecheck: {error}\n")
