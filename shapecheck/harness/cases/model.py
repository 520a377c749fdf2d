"""A case, ready to be built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapecheck.harness.cases.declared import Declared


@dataclass(frozen=True)
class Case:
    """A class or a factory with what is declared of it. name: `pkg.module:Class`, with `[label]` where it has one."""

    name: str
    target: Callable[..., Any]
    file: Path
    line: int
    declared: Declared = field(default_factory=Declared)
    reason: str = ""
    """Why it is not to be run, empty where it is."""


class CaseError(Exception):
    """A case cannot be run as it stands; the message is one line that says why and how to mend it."""
