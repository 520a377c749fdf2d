"""The codes enabled in a file: by `[tool.shapecheck.check]` of the nearest pyproject.toml, and by mypy's options."""

from __future__ import annotations

import os
from pathlib import Path

from mypy.options import Options

from shapecheck.config import Config, load_config
from shapecheck.mypy.codes import ERROR_CODES
from shapecheck.mypy.unchanged import Record, file_record
from shapecheck.selection import Selection


class Selections:
    """The selection for the files of each folder."""

    def __init__(self) -> None:
        self._configs: dict[str, Config] = {}
        self._selections: dict[tuple[str, frozenset[str]], Selection] = {}
        self._records: list[Record] = []

    def new_records(self) -> list[Record]:
        """What was read since the last call, as `unchanged` compares it."""
        found, self._records = self._records, []
        return found

    def selection(self, path: str, options: Options) -> Selection:
        """What is enabled in a file with these options; ConfigError for an invalid configuration."""
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120 - called for every module of a build
        enabled = frozenset(one.code for one in options.enabled_error_codes if one.code in ERROR_CODES)
        key = (folder, enabled)
        if key not in self._selections:
            self._selections[key] = Selection(self._config(folder), enabled=enabled)
        return self._selections[key]

    def _config(self, folder: str) -> Config:
        if folder not in self._configs:
            self._configs[folder] = self._look(folder)
        return self._configs[folder]

    def _look(self, folder: str) -> Config:
        file = os.path.join(folder, "pyproject.toml")  # noqa: PTH118
        self._records.append(file_record(file))
        if os.path.isfile(file):  # noqa: PTH113
            with open(file, "rb") as stream:  # noqa: PTH123
                is_named = b"shapecheck" in stream.read()
            return load_config(Path(folder)) if is_named else Config(root=Path(folder))
        above = os.path.dirname(folder)  # noqa: PTH120
        return self._config(above) if above != folder else Config(root=Path(folder))
