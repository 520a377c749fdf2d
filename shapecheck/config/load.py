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
    """The configuration cannot be used. The message is one line for the user: file, key, what is allowed."""


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
    return Config(root=folder)


def _read(file: Path) -> Config:
    tool = _tool_table(file)
    table = tool.get("shapecheck", {})
    try:
        options = msgspec.convert(table, Options, dec_hook=decode)
    except msgspec.ValidationError:
        from shapecheck.config.explain import problem  # noqa: PLC0415 - for a mistake alone

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
