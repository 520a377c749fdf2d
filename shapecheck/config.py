"""`[tool.shapecheck]` of pyproject.toml as one typed object, and the formatter's line length."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from shapecheck.diagnostics.codes import CHECKS, FIXES, GUARDS, TOLD
from shapecheck.diagnostics.model import Severity
from shapecheck.diagnostics.render import FORMATS

FIXERS = FIXES
"""The diagnostic codes that `shapecheck fix` can mend."""
SETS = ("default", "all")
"""Words that `select` and `ignore` of `check` take for several codes."""
SELECTABLE = (*SETS, *CHECKS, *TOLD)
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

    select: tuple[str, ...] = ("default",)
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """By code, where it is not the code's own."""
    baseline: str | None = None
    """A file of findings that are known, relative to the root."""
    per_path: tuple[PathConfig, ...] = ()
    cache_dir: str = ".shapecheck_cache"
    """The folder of what is kept between runs, relative to the root."""


@dataclass(frozen=True, slots=True)
class PathConfig:
    """An entry of `[tool.shapecheck.check.per-path]`: what is otherwise in the files that match."""

    pattern: str
    """As in .gitignore, from the root."""
    select: tuple[str, ...] | None = None
    """In place of the general one."""
    ignore: tuple[str, ...] = ()
    """Beside the general one."""
    severity: Mapping[str, Severity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GuardConfig:
    """`[tool.shapecheck.guard]`."""

    rules: tuple[str, ...] = ("default",)
    allow: tuple[str, ...] = ()
    """Codes, files and lines of which nothing is said."""
    severity: Mapping[str, Severity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """`[tool.shapecheck.run]`."""

    device: str = "cpu"
    checks: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    timeout: float = 120.0
    memory: int | None = None
    """Bytes."""
    jobs: int | None = None
    seed: int = 0
    backend: str = "aot_eager"
    timed: bool = False
    profile: bool = False


@dataclass(frozen=True, slots=True)
class CaseConfig:
    """An entry of `[tool.shapecheck.cases]`: how `shapecheck run` is to build a class or call a factory."""

    label: str
    """The entry's key."""
    target: str
    """`pkg.module:Class`."""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    dims: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    checkpoint: str | None = None
    """A file of weights, relative to the root."""
    device: str = ""
    """Where it runs, whatever else is said."""


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
    guard: GuardConfig = GuardConfig()
    run: RunConfig = RunConfig()
    cases: tuple[CaseConfig, ...] = ()
    formatter_line_length: int | None = None
    """What black or ruff is told in the same file."""
    runtime: bool = True
    """Whether `shapecheck.checked` and the import hook check anything."""


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
    check = _check(file, own.pop("check", {}))
    guard = _guard(file, own.pop("guard", {}))
    run = _Table(file, "tool.shapecheck.run", own.pop("run", {})).take(_RUN)
    cases = _Table(file, "tool.shapecheck.cases", own.pop("cases", {})).rows()
    return Config(
        root=file.parent,
        file=file,
        fix=FixConfig(**fix),
        check=check,
        guard=guard,
        run=RunConfig(**run),
        cases=tuple(_case(file, label, value) for label, value in cases),
        formatter_line_length=_formatter_line_length(tool),
        **own,
    )


def _check(file: Path, written: object) -> CheckConfig:
    name = "tool.shapecheck.check"
    found = _Table(file, name, written).take(_CHECK)
    found["severity"] = _severities(file, name, found.get("severity", {}))
    found["per_path"] = tuple(
        _per_path(file, f'{name}.per-path."{pattern}"', pattern, value)
        for pattern, value in found.get("per_path", {}).items()
    )
    return CheckConfig(**found)


def _guard(file: Path, written: object) -> GuardConfig:
    name = "tool.shapecheck.guard"
    found = _Table(file, name, written).take(_GUARD)
    found["severity"] = _severities(file, name, found.get("severity", {}), _GUARD_SEVERITY)
    return GuardConfig(**found)


def _case(file: Path, label: str, written: object) -> CaseConfig:
    name = f"tool.shapecheck.cases.{label}"
    found = _Table(file, name, written).take(_CASE)
    if "target" not in found:
        raise ConfigError(f'{file}: {name} needs a `target`, as "pkg.module:Class"')
    for key, kind in (("dims", _WHOLE), ("ranges", _RANGE)):
        inner = _Table(file, f"{name}.{key}", found.get(key, {}))
        found[key] = {row: inner.value(row, value, {row: kind}) for row, value in inner.rows()}
    return CaseConfig(label, **found)


def _per_path(file: Path, name: str, pattern: str, written: object) -> PathConfig:
    if not pattern.strip(" !/"):
        raise ConfigError(f"{file}: {name}: {pattern!r} is no pattern; write one as in .gitignore")
    found = _Table(file, name, written).take(_PER_PATH)
    found["severity"] = _severities(file, name, found.get("severity", {}))
    return PathConfig(pattern, **found)


def _severities(
    file: Path, name: str, written: object, kinds: Mapping[str, _Kind] | None = None
) -> dict[str, Severity]:
    table = _Table(file, f"{name}.severity", written)
    return {code: Severity(table.value(code, value, kinds or _SEVERITY)) for code, value in table.rows()}


def _tool_table(file: Path) -> Mapping[str, Any]:
    try:
        document = _toml(file.read_bytes().decode())
    except (ValueError, OSError) as error:
        raise ConfigError(f"{file}: cannot be read: {' '.join(str(error).split())}") from error
    tool = document.get("tool", {})
    return cast("Mapping[str, Any]", tool) if isinstance(tool, dict) else {}


def _toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415 - which no run without a pyproject.toml should pay

        return tomllib.loads(text)
    import tomlkit  # noqa: PLC0415

    return tomlkit.parse(text).unwrap()


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


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _Wrong
    return value


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong
    return value


def _positive(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _Wrong
    return value


DEVICE = re.compile(r"cpu|fake|cuda(?::\d+)?")
"""What `shapecheck run --device` takes."""


def _device(value: object) -> str:
    if not isinstance(value, str) or not DEVICE.fullmatch(value):
        raise _Wrong
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise _Wrong
    return float(value)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _Wrong
    return value


def _bytes(value: object) -> int:
    try:
        return parse_size(value if isinstance(value, str) else "")
    except ValueError:
        raise _Wrong from None


_SIZE_TEXT = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


def parse_size(text: str) -> int:
    """Bytes, from `500MB` (powers of 1000) or `4GiB` (powers of 1024). Raises ValueError."""
    found = _SIZE_TEXT.fullmatch(text.strip())
    size = (
        0 if found is None else float(found[1]) * (1024 if found[3] else 1000) ** " kmgt".index(found[2].lower() or " ")
    )
    if size < 1:
        raise ValueError(f"{text!r} is no size; write it as 500MB or 4GiB")
    return int(size)


_PLACE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def _class_place(value: object) -> str:
    if not isinstance(value, str) or not _PLACE.fullmatch(value):
        raise _Wrong
    return value


def _range(value: object) -> tuple[int, int]:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return 0, value - 1
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(item) is int for item in value)
        and value[0] <= value[1]
    ):
        return value[0], value[1]
    raise _Wrong


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong
    return value


_STRINGS = _Kind("a list of strings", _strings)
_BOOLEAN = _Kind("true or false", _boolean)
_POSITIVE = _Kind("a whole number above 0", _positive)

_WHOLE = _Kind("a whole number, 0 or above", _whole)
_RANGE = _Kind("a whole number `n` above 0, for 0 to n - 1, or [low, high]", _range)
_TABLE = _Kind("a table", _table)

_MAIN = {
    "paths": _STRINGS,
    "exclude": _STRINGS,
    "respect-gitignore": _BOOLEAN,
    "jobs": _POSITIVE,
    "format": _choice(FORMATS),
    "runtime": _BOOLEAN,
    "fix": _TABLE,
    "check": _TABLE,
    "guard": _TABLE,
    "run": _TABLE,
    "cases": _TABLE,
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
_SELECTION = {
    "select": _codes(SELECTABLE),
    "ignore": _codes(SELECTABLE),
    "severity": _TABLE,
}
_CHECK = {
    **_SELECTION,
    "baseline": _Kind("a path", _text),
    "per-path": _TABLE,
    "cache-dir": _Kind("a path", _text),
}
_PER_PATH = _SELECTION
_SEVERITY = {code: _choice(level.value for level in Severity) for code in CHECKS}
_GUARD = {"rules": _codes((*SETS, *GUARDS)), "allow": _STRINGS, "severity": _TABLE}
_GUARD_SEVERITY = {code: _choice(level.value for level in Severity) for code in GUARDS}

_DEVICE = _Kind('"cpu", "cuda", "cuda:N" or "fake"', _device)
_RUN = {
    "device": _DEVICE,
    "checks": _STRINGS,
    "skip": _STRINGS,
    "timeout": _Kind("a number of seconds above 0", _seconds),
    "memory": _Kind('a size as "500MB" or "4GiB"', _bytes),
    "jobs": _POSITIVE,
    "seed": _WHOLE,
    "backend": _Kind("a name", _text),
    "timed": _BOOLEAN,
    "profile": _BOOLEAN,
}
_CASE = {
    "target": _Kind('a place as "pkg.module:Class"', _class_place),
    "kwargs": _TABLE,
    "dims": _TABLE,
    "ranges": _TABLE,
    "skip": _STRINGS,
    "checkpoint": _Kind("a path", _text),
    "device": _DEVICE,
}


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it was written, and where."""

    file: Path
    name: str
    values: object

    def take(self, kinds: Mapping[str, _Kind]) -> dict[str, Any]:
        """The values, checked, under the names of our fields; raise ConfigError at the first wrong one."""
        return {key.replace("-", "_"): self.value(key, value, kinds) for key, value in self.rows()}

    def rows(self) -> Iterable[tuple[str, object]]:
        """The keys and values as they were written; raise ConfigError where it is no table."""
        if not isinstance(self.values, dict):
            raise ConfigError(f"{self.file}: {self.name} must be a table")
        return self.values.items()

    def value(self, key: str, value: object, kinds: Mapping[str, _Kind]) -> Any:
        """One value, checked; raise ConfigError where the key is not known or the value is wrong."""
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
