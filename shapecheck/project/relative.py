"""Paths as files of shapecheck store them, so that they can be read on another system."""

from __future__ import annotations

import os
from pathlib import Path


def relative_path(path: Path | str, folder: Path | str) -> str:
    """The path from a directory, with forward slashes; the absolute one if it is on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return Path(path).as_posix()
