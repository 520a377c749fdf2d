"""Whether the linter of a project rejects axis strings: whether ruff's configuration selects the rule."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_RULE = "F722"
_ALL = "ALL"
_DEFAULT = ("E4", "E7", "E9", "F")
"""What ruff selects by default."""


def selects_rule(root: Path) -> bool:
    """Whether ruff is configured in a directory or above it, and reports F722, which rejects axis strings."""
    settings = next((found for place in (root, *root.parents) if (found := _settings(place)) is not None), None)
    if settings is None:
        return False
    linter = {**settings, **_table(settings, "lint")}
    selected = _closest([*_texts(linter, "select", _DEFAULT), *_texts(linter, "extend-select")])
    ignored = _closest([*_texts(linter, "ignore"), *_texts(linter, "extend-ignore"), *_ignored_in_files(linter)])
    return selected is not None and (ignored is None or selected > ignored)


def _settings(place: Path) -> Mapping[str, object] | None:
    """The settings of ruff in a directory; None if there are none."""
    for name in (".ruff.toml", "ruff.toml", "pyproject.toml"):
        with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            found: Mapping[str, object] = tomllib.loads((place / name).read_text(encoding="utf-8"))
            if name != "pyproject.toml":
                return found
            tool = _table(found, "tool")
            if "ruff" in tool:
                return _table(tool, "ruff")
    return None


def _table(settings: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = settings.get(name)
    return found if isinstance(found, dict) else {}


def _texts(settings: Mapping[str, object], name: str, default: tuple[str, ...] = ()) -> list[str]:
    found = settings.get(name, default)
    return [one for one in found if isinstance(one, str)] if isinstance(found, (list, tuple)) else []


def _ignored_in_files(settings: Mapping[str, object]) -> list[str]:
    tables = (_table(settings, name) for name in ("per-file-ignores", "extend-per-file-ignores"))
    return [text for table in tables for name in table for text in _texts(table, name)]


def _closest(codes: Iterable[str]) -> int | None:
    """The length of the longest of these prefixes of the rule: the most specific one decides."""
    return max((0 if one == _ALL else len(one) for one in codes if one == _ALL or _RULE.startswith(one)), default=None)
