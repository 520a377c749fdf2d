"""Finds pyproject.toml and reads our tables from it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from shapecheck.config import keys
from shapecheck.config.model import CaseConfig, CheckConfig, Config, FixConfig, GuardConfig, PathConfig, RunConfig
from shapecheck.config.table import ConfigError, Table
from shapecheck.config.values import RANGE, WHOLE, ValueType
from shapecheck.diagnostics.model import Severity


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
    table = Table(file, "tool.shapecheck", tool.get("shapecheck", {}))
    own = table.take(keys.MAIN)
    fix = Table(file, "tool.shapecheck.fix", own.pop("fix", {})).take(keys.FIX)
    check = _check(file, own.pop("check", {}))
    guard = _guard(file, own.pop("guard", {}))
    run = Table(file, "tool.shapecheck.run", own.pop("run", {})).take(keys.RUN)
    cases = Table(file, "tool.shapecheck.cases", own.pop("cases", {})).rows()
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
    found = Table(file, name, written).take(keys.CHECK)
    found["severity"] = _severities(file, name, found.get("severity", {}), keys.CHECK_SEVERITY)
    found["per_path"] = tuple(
        _per_path(file, f'{name}.per-path."{pattern}"', pattern, value)
        for pattern, value in found.get("per_path", {}).items()
    )
    return CheckConfig(**found)


def _guard(file: Path, written: object) -> GuardConfig:
    name = "tool.shapecheck.guard"
    found = Table(file, name, written).take(keys.GUARD)
    found["severity"] = _severities(file, name, found.get("severity", {}), keys.GUARD_SEVERITY)
    return GuardConfig(**found)


def _case(file: Path, label: str, written: object) -> CaseConfig:
    name = f"tool.shapecheck.cases.{label}"
    found = Table(file, name, written).take(keys.CASE)
    if "target" not in found:
        raise ConfigError(f'{file}: {name} needs a `target`, as "pkg.module:Class"')
    for key, kind in (("dims", WHOLE), ("ranges", RANGE)):
        inner = Table(file, f"{name}.{key}", found.get(key, {}))
        found[key] = {row: inner.value(row, value, {row: kind}) for row, value in inner.rows()}
    return CaseConfig(label, **found)


def _per_path(file: Path, name: str, pattern: str, written: object) -> PathConfig:
    if not pattern.strip(" !/"):
        raise ConfigError(f"{file}: {name}: {pattern!r} is no pattern; write one as in .gitignore")
    found = Table(file, name, written).take(keys.PER_PATH)
    found["severity"] = _severities(file, name, found.get("severity", {}), keys.CHECK_SEVERITY)
    return PathConfig(pattern, **found)


def _severities(file: Path, name: str, written: object, kinds: Mapping[str, ValueType]) -> dict[str, Severity]:
    table = Table(file, f"{name}.severity", written)
    return {code: Severity(table.value(code, value, kinds)) for code, value in table.rows()}


def _tool_table(file: Path) -> Mapping[str, Any]:
    try:
        document = parse_toml(file.read_bytes().decode())
    except (ValueError, OSError) as error:
        raise ConfigError(f"{file}: cannot be read: {' '.join(str(error).split())}") from error
    tool = document.get("tool", {})
    return cast("Mapping[str, Any]", tool) if isinstance(tool, dict) else {}


def parse_toml(text: str) -> dict[str, Any]:
    """What TOML holds; ValueError where it is none."""
    # imported here, because no run without a pyproject.toml should pay for it
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415
    else:
        import tomli as tomllib  # noqa: PLC0415

    return tomllib.loads(text)


def _formatter_line_length(tool: Mapping[str, Any]) -> int | None:
    for name in ("black", "ruff"):
        section = tool.get(name)
        length = section.get("line-length") if isinstance(section, dict) else None
        if isinstance(length, int) and length > 0:
            return length
    return None
