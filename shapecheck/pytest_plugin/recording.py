"""`pytest --shapecheck-record`: the calls of the tested functions are recorded, in each worker of xdist too."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.record.session import CallRecording
from shapecheck.record.store import RecordError


def start(config: pytest.Config, file: str) -> None:
    """Records until the end of the session. Functions of test files are not recorded: pytest changes their code."""
    if not file.endswith(".json"):  # the path of a test that follows the option is no data file
        raise pytest.UsageError(f"--shapecheck-record: expected a .json file, got {file}; use --shapecheck-record=FILE")
    recording = CallRecording(config.rootpath / Path(file), config.rootpath)
    try:
        recording.start()
    except RecordError as error:
        raise pytest.UsageError(f"shapecheck: {error}") from None
    config.add_cleanup(recording.stop)
