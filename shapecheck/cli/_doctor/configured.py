"""Which front ends a project configures, and in which file: for mypy and pytest, the file that each of them reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as IniError
from pathlib import Path
from typing import Any

from shapecheck.config.load import parse_toml

_PLUGIN = "shapecheck.mypy"
_TABLES = {"run": "run", "guard": "checked", "runtime": "checked"}
"""The front end that a key of `[tool.shapecheck]` configures."""
_MYPY = (("mypy.ini", None), (".mypy.ini", None), ("pyproject.toml", ("tool", "mypy")), ("setup.cfg", ("mypy",)))
"""The files of mypy in its order; it reads the first that exists, and that has the table if one is named."""
_PYTEST = (
    ("pytest.ini", None), (".pytest.ini", None), ("pyproject.toml", ("tool", "pytest", "ini_options")),
    ("tox.ini", ("pytest",)), ("setup.cfg", ("tool:pytest",)),
)  # fmt: skip
_Places = tuple[tuple[str, tuple[str, ...] | None], ...]


def root_of(start: Path) -> Path:
    """The directory of the nearest pyproject.toml, as for all commands; otherwise `start`."""
    start = start.absolute()
    return next((one for one in (start, *start.parents) if (one / "pyproject.toml").is_file()), start)


def configured(root: Path) -> dict[str, str]:
    """The file by the name of the front end that it configures; those that always apply are not included."""
    ours = _table(_read(root / "pyproject.toml"), ("tool", "shapecheck"))
    found = {front_end: "pyproject.toml" for key, front_end in _TABLES.items() if key in ours}
    for file, table in _tables(root, _MYPY, "mypy"):
        if _has_plugin(table):
            found["mypy plugin"] = file
            break
    for file, table in list(_tables(root, _PYTEST, "pytest"))[:1]:
        if {"shapecheck", "shapecheck_run"} & set(table) or "--shapecheck" in str(table.get("addopts", "")):
            found["pytest plugin"] = file
    return found


def mypy_file(root: Path) -> str | None:
    """The file that mypy reads; None if nothing configures it."""
    return next((name for name, _ in _tables(root, _MYPY, "mypy")), None)


def _tables(root: Path, places: _Places, section: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The files of a tool that exist, with its table in each."""
    for name, keys in places:
        if not (root / name).is_file():
            continue
        document = _read(root / name)
        if keys is None:
            yield name, _table(document, (section,))
        elif table := _table(document, keys):
            yield name, table


def _has_plugin(table: Mapping[str, Any]) -> bool:
    given = table.get("plugins", "")
    names = given if isinstance(given, list) else re.split(r"[,\n]", str(given))
    return any(str(one).strip().partition(":")[0] == _PLUGIN for one in names)


def _table(document: Mapping[str, Any], keys: tuple[str, ...]) -> Mapping[str, Any]:
    for key in keys:
        document = document.get(key, {})
        if not isinstance(document, Mapping):
            return {}
    return document


def _read(file: Path) -> Mapping[str, Any]:
    """The tables of a file; none if it cannot be read, which the tool itself reports."""
    try:
        text = file.read_bytes().decode()
        if file.suffix == ".toml":
            return parse_toml(text)
        parser = ConfigParser(interpolation=None, strict=False)
        parser.read_string(text)
    except (OSError, ValueError, IniError):
        return {}
    return {name: dict(parser[name]) for name in parser.sections()}
