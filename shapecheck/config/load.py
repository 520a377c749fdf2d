"""Finds pyproject.toml and reads our tables from it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from shapecheck.config.model import Config, Options
from shapecheck.config.values import decode


class ConfigError(Exception):
    """The configuration is invalid. The message is one line for the user: file, key, expected value."""


def load_config(start: Path) -> Config:
    """The configuration of the nearest pyproject.toml at or above `start`; raises ConfigError if it is invalid."""
    # os.path, because Path's own raise if a directory above it cannot be entered
    folder = start.absolute()
    if not os.path.isdir(folder):  # noqa: PTH112
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        file = candidate / "pyproject.toml"
        if os.path.isfile(file):  # noqa: PTH113
            return _read(file)
    return Config(root=folder)


def _read(file: Path) -> Config:
    tool = _tool_table(file)
    table = tool.get("shapecheck", {})
    try:
        options = msgspec.convert(table, Options, dec_hook=decode)
    except msgspec.ValidationError:
        from shapecheck.config.explain import problem  # noqa: PLC0415 - only for an invalid table

        raise ConfigError(f"{file}: {problem('tool.shapecheck', table, Options)}") from None
    return Config(
        root=file.parent,
        file=file,
        formatter_line_length=_formatter_line_length(tool),
        **msgspec.structs.asdict(options),
    )


def _tool_table(file: Path) -> Mapping[str, Any]:
    try:
        document = parse_toml(file.read_bytes().decode())
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"{file}: cannot read: {reason[:1].lower()}{reason[1:]}") from error
    except ValueError as error:
        raise ConfigError(f"{file}: cannot parse: {' '.join(str(error).split())}") from error
    tool = document.get("tool", {})
    return cast("Mapping[str, Any]", tool) if isinstance(tool, dict) else {}


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; raises ValueError if it is invalid."""
    # imported here, so that only runs with a pyproject.toml pay for it
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
