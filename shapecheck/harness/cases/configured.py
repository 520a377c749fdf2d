"""The cases of `[tool.shapecheck.cases]`, for the targets whose classes they name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from shapecheck.config import CaseConfig, Config
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Target
from shapecheck.project.files import absolute
from shapecheck.project.modules import in_folder


def with_configured(targets: Iterable[Target], config: Config) -> list[Target]:
    """The targets, each with the declarations of its classes and factories in the configuration."""
    return [replace(target, configured=_of(target, config)) for target in targets]


def _of(target: Target, config: Config) -> dict[str, dict[str, Declared]]:
    found: dict[str, dict[str, Declared]] = {}
    for label, entry in config.cases.items():
        where, _, name = entry.target.rpartition(":")
        if where == target.module or target.file in _files(where, config):
            found.setdefault(name, {})[label] = _declared(label, entry, config)
    return found


def _files(where: str, config: Config) -> list[Path | None]:
    """The file of a path or a dotted name; a file outside packages is imported under a different name."""
    if where.endswith(".py"):
        return [absolute(config.root / where)]
    return [in_folder(folder, where) for folder in (config.root, config.root / "src")]


def _declared(label: str, entry: CaseConfig, config: Config) -> Declared:
    return Declared(
        dims=entry.dims,
        kwargs=entry.kwargs,
        ranges=entry.ranges,
        skip=entry.skip,
        checkpoint=None if entry.checkpoint is None else str(config.root / entry.checkpoint),
        device=entry.device,
        label=label,
    )
