"""Violations that a guard found, by line of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from shapecheck.diagnostics import Severity


class GuardError(RuntimeError):
    """A violation that a guard reports with severity error, raised at the call of the operator.

    It is not a TypeError: if an operand raises one, Python tries the other operand.
    """


class GuardWarning(UserWarning):
    """A violation that a guard reports with severity warning."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation at one line; `count` is how often it occurred, `message` is that of the first time."""

    path: str
    line: int
    code: str
    severity: Severity
    message: str
    count: int = 1

    def __str__(self) -> str:
        times = f" ({self.count} times)" if self.count > 1 else ""
        return f"{self.path}:{self.line}: {self.severity.value}: {self.message} [{self.code}]{times}"


class Violations:
    """The violations so far, one per line and code."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, str], Violation] = {}

    def add(self, violation: Violation) -> bool:
        """Adds a violation; returns whether it is the first of its code at its line."""
        key = (violation.path, violation.line, violation.code)
        known = self._found.get(key)
        self._found[key] = violation if known is None else replace(known, count=known.count + violation.count)
        return known is None

    def __iter__(self) -> Iterator[Violation]:
        """By file and line."""
        return iter([self._found[key] for key in sorted(self._found)])

    def __len__(self) -> int:
        return len(self._found)
