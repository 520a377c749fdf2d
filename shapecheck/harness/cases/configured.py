"""The cases of `[tool.shapecheck.cases]`, for the targets whose classes they name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shapecheck.config import CaseConfig, Config
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Target
from shapecheck.project.modules import in_folder


def with_configured(targets: Iterable[Target], config: Config) -> list[Target]:
    """The targets, each with what the configuration declares of its classes and factories."""
    return [replace(target, configured=_of(target, config)) for target in targets]


def _of(target: Target, config: Config) -> dict[str, dict[str, Declared]]:
    found: dict[str, dict[str, Declared]] = {}
    for entry in config.cases:
        module, _, name = entry.target.partition(":")
        if module == target.module or _is_file_of(module, target, config):
            found.setdefault(name, {})[entry.label] = _declared(entry, config)
    return found


def _is_file_of(module: str, target: Target, config: Config) -> bool:
    """Whether a dotted name leads to the target's file, though that is imported by another: it is in no package."""
    return any(in_folder(folder, module) == target.file for folder in (config.root, config.root / "src"))


def _declared(entry: CaseConfig, config: Config) -> Declared:
    return Declared(
        dims=entry.dims,
        kwargs=entry.kwargs,
        ranges=entry.ranges,
        skip=entry.skip,
        checkpoint=None if entry.checkpoint is None else str(config.root / entry.checkpoint),
        device=entry.device,
        label=entry.label,
    )
