"""`[tool.shapecheck]` of pyproject.toml as one typed object, and the formatter's line length."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from shapecheck.diagnostics.codes import CHECKS, DEFAULT_CHECKS
from shapecheck.diagnostics.render import FORMATS

FIXERS = ("untyped-call", "direct-forward")
"""The diagnostic codes that `shapecheck fix` can mend."""
STYLES = ("typing", "runtime")


class ConfigError(Exception):
    """The configuration cannot be used. The message is one line for the user: file, key, what is allowed."""


@dataclass(frozen=True, slots=True)
class FixConfig:
    """`[tool.shapecheck.fix]`."""

    select: tuple[str, ...] = FIXERS
    ignore: tuple[str, ...] = ()
    style: str = "typing"
    untyped: bool = False
    decorators: tuple[str, ...] = ()
    """Further decorators that keep the signature of what they decorate."""
    line_length: int | None = None
    include_generated: bool = False


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """`[tool.shapecheck.check]`."""

    select: tuple[str, ...] = DEFAULT_CHECKS
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """`[tool.shapecheck]`."""

    root: Path
    """The base of `paths` and `exclude`: the folder of pyproject.toml, else the one the search began in."""
    file: Path | None = None
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    jobs: int | None = None
    format: str = "text"
    fix: FixConfig = FixConfig()
    check: CheckConfig = CheckConfig()
    formatter_line_length: int | None = None
    """What black or ruff is told in the same file."""


def load_config(start: Path) -> Config:
    """The configuration of the nearest pyproject.toml at or above `start`; ConfigError for a bad one."""
    # os.path, because Path's own raise where a folder on the way may not be entered
    folder = start.absolute()
    if not os.path.isdir(folder):  # noqa: PTH112
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        file = candidate / "pyproject.toml"
        if os.path.isfile(file):  # noqa: PTH113
            return _read(file)
    return Config(folder)


def _read(file: Path) -> Config:
    tool = _tool_table(file)
    table = _Table(file, "tool.shapecheck", tool.get("shapecheck", {}))
    own = table.take(_MAIN)
    fix = _Table(file, "tool.shapecheck.fix", own.pop("fix", {})).take(_FIX)
    check = _Table(file, "tool.shapecheck.check", own.pop("check", {})).take(_CHECK)
    return Config(
        root=file.parent,
        file=file,
        fix=FixConfig(**fix),
        check=CheckConfig(**check),
        formatter_line_length=_formatter_line_length(tool),
        **own,
    )


def _tool_table(file: Path) -> Mapping[str, Any]:
    import tomlkit  # noqa: PLC0415 - 20 ms, which no run without a pyproject.toml should pay
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(file.read_bytes()).unwrap()
    except (TOMLKitError, OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {' '.join(str(error).split())}") from error
    tool = document.get("tool", {})
    return cast("Mapping[str, Any]", tool) if isinstance(tool, dict) else {}


def _formatter_line_length(tool: Mapping[str, Any]) -> int | None:
    for name in ("black", "ruff"):
        section = tool.get(name)
        length = section.get("line-length") if isinstance(section, dict) else None
        if isinstance(length, int) and length > 0:
            return length
    return None


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a key may hold: a test and a conversion in one, and the words for it in a message."""

    words: str
    convert: Callable[[object], Any]


class _Wrong(Exception):
    """A value is not of its key's kind."""


def _choice(allowed: Iterable[str]) -> _Kind:
    names = tuple(allowed)

    def convert(value: object) -> str:
        if value not in names:
            raise _Wrong
        return str(value)

    return _Kind("one of " + ", ".join(f'"{name}"' for name in names), convert)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Wrong
    return tuple(value)


def _codes(allowed: tuple[str, ...]) -> _Kind:
    def convert(value: object) -> tuple[str, ...]:
        codes = _strings(value)
        if not set(codes) <= set(allowed):
            raise _Wrong
        return codes

    return _Kind("a list of " + ", ".join(f'"{code}"' for code in allowed), convert)


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong
    return value


def _positive(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _Wrong
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong
    return value


_STRINGS = _Kind("a list of strings", _strings)
_BOOLEAN = _Kind("true or false", _boolean)
_POSITIVE = _Kind("a whole number above 0", _positive)

_MAIN = {
    "paths": _STRINGS,
    "exclude": _STRINGS,
    "respect-gitignore": _BOOLEAN,
    "jobs": _POSITIVE,
    "format": _choice(FORMATS),
    "fix": _Kind("a table", _table),
    "check": _Kind("a table", _table),
}
_FIX = {
    "select": _codes(FIXERS),
    "ignore": _codes(FIXERS),
    "style": _choice(STYLES),
    "untyped": _BOOLEAN,
    "decorators": _STRINGS,
    "line-length": _POSITIVE,
    "include-generated": _BOOLEAN,
}
_CHECK = {
    "select": _codes(CHECKS),
    "ignore": _codes(CHECKS),
}


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it was written, and where."""

    file: Path
    name: str
    values: object

    def take(self, kinds: Mapping[str, _Kind]) -> dict[str, Any]:
        """The values, checked, under the names of our fields; raise ConfigError at the first wrong one."""
        if not isinstance(self.values, dict):
            raise ConfigError(f"{self.file}: {self.name} must be a table")
        return {key.replace("-", "_"): self._value(key, value, kinds) for key, value in self.values.items()}

    def _value(self, key: str, value: object, kinds: Mapping[str, _Kind]) -> Any:
        kind = kinds.get(key)
        if kind is None:
            raise ConfigError(f"{self.file}: {self.name} has no key {key!r}; {_hint(key, kinds)}")
        try:
            return kind.convert(value)
        except _Wrong:
            raise ConfigError(f"{self.file}: {self.name}.{key} must be {kind.words}, not {value!r}") from None


def _hint(key: str, kinds: Iterable[str]) -> str:
    near = get_close_matches(key, kinds, 1)
    return (f"did you mean {near[0]!r}? " if near else "") + "allowed: " + ", ".join(kinds)
