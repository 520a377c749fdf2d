"""Which codes `[tool.shapecheck.check]` asks for, in the pyproject.toml nearest to a file."""

from __future__ import annotations

import os
from pathlib import Path

from shapecheck.config import CheckConfig, load_config


class Chosen:
    """The codes that count in the files of each folder."""

    def __init__(self) -> None:
        self._by_folder: dict[str, frozenset[str]] = {}

    def codes(self, folder: str) -> frozenset[str]:
        """The codes selected and not ignored; ConfigError for a configuration that cannot be used."""
        if folder not in self._by_folder:
            self._by_folder[folder] = self._look(folder)
        return self._by_folder[folder]

    def _look(self, folder: str) -> frozenset[str]:
        file = os.path.join(folder, "pyproject.toml")  # noqa: PTH118 - asked about every module of a build
        if os.path.isfile(file):  # noqa: PTH113
            with open(file, "rb") as stream:  # noqa: PTH123
                told = b"shapecheck" in stream.read()
            return _selected(load_config(Path(folder)).check if told else CheckConfig())
        above = os.path.dirname(folder)  # noqa: PTH120
        return self.codes(above) if above != folder else _selected(CheckConfig())


def _selected(check: CheckConfig) -> frozenset[str]:
    return frozenset(check.select) - frozenset(check.ignore)
