"""Findings about models whose annotations are inferred: these do not promise what those of an author do."""

from __future__ import annotations

import inspect
from dataclasses import replace

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.subject import Subject

_ABOUT_INPUTS = ("contract", "sweep")
"""The checks whose findings may only show that the inputs that the annotations allow are not those of the author."""
_OF_ANY_INPUTS = ("squeeze-batch",)
"""What is wrong with any inputs: a batch of one has the rank of a larger one."""


def is_inferred(subject: Subject, options: RunOptions) -> bool:
    """Whether the inputs are assumed, or the annotations of the model's forward inferred."""
    forward = inspect.unwrap(type(subject.model).forward)
    return subject.known is not None or getattr(forward, "__qualname__", "") in options.inferred


def inputs_origin(subject: Subject, options: RunOptions) -> str:
    """Where the inputs come from, for the report."""
    if subject.known is not None:
        return subject.known.origin
    if subject.declared.inputs is not None:
        return "inputs= of the case"
    return "inferred annotations" if is_inferred(subject, options) else "annotations"


def judged(found: Diagnostic, subject: Subject, check: str, options: RunOptions) -> Diagnostic | None:
    """The finding, a note if it depends on inferred annotations, or None if it contradicts nothing else."""
    if found.code in _OF_ANY_INPUTS or check not in _ABOUT_INPUTS or not is_inferred(subject, options):
        return found
    if found.code == "hard-coded-size":
        return None
    why = "inferred annotations" if subject.known is None else "assumed inputs"
    return replace(found, severity=Severity.NOTE, message=f"{found.message} (with {why})")
