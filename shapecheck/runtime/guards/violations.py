"""Violations that a guard found, by line of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from shapecheck.diagnostics import Severity


class GuardError(RuntimeError):
    """An operator did what no one meant, under a guard whose severity for that is error.

    It is no TypeError: Python takes one that an operand raises for a reason to try the other operand.
    """


class GuardWarning(UserWarning):
    """An operator did what no one meant."""


@dataclass(frozen=True, slots=True)
class Violation:
    """Something that was found at one line; `count` says how often, `message` is of the first time."""

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
    """The violations so far, each line and code once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, str], Violation] = {}

    def add(self, violation: Violation) -> bool:
        """Counts a violation; whether it is the first of its kind at its line."""
        key = (violation.path, violation.line, violation.code)
        known = self._found.get(key)
        self._found[key] = violation if known is None else replace(known, count=known.count + violation.count)
        return known is None

    def __iter__(self) -> Iterator[Violation]:
        """By file and line."""
        return iter([self._found[key] for key in sorted(self._found)])

    def __len__(self) -> int:
        return len(self._found)
