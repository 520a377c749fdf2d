"""What tests of the commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.project.outcomes import FileOutcome
from shapecheck.static.entry.checker import Checker


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were run."""
    names: list[str] = []
    real = Checker.outcome

    def outcome(self: Checker, path: Path, asked: set[str]) -> FileOutcome:
        names.append(path.relative_to(Path.cwd()).as_posix())
        return real(self, path, asked)

    monkeypatch.setattr(Checker, "outcome", outcome)
    return names
