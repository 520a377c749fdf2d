"""Findings about models whose annotations are inferred: these do not promise what those of an author do."""

from __future__ import annotations

import inspect
from dataclasses import replace

from torch import nn

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.run_options import RunOptions

_ABOUT_INPUTS = ("contract", "sweep")
"""The checks whose findings may only show that the inputs that the annotations allow are not those of the author."""


def is_inferred(model: nn.Module, options: RunOptions) -> bool:
    """Whether the annotations of the model's forward are inferred."""
    return getattr(inspect.unwrap(type(model).forward), "__qualname__", "") in options.inferred


def judged(found: Diagnostic, model: nn.Module, check: str, options: RunOptions) -> Diagnostic | None:
    """The finding, a note if it depends on inferred annotations, or None if it contradicts nothing else."""
    if check not in _ABOUT_INPUTS or not is_inferred(model, options):
        return found
    if found.code == "hard-coded-size":
        return None
    return replace(found, severity=Severity.NOTE, message=f"{found.message} (with inferred annotations)")
