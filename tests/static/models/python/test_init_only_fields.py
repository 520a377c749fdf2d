"""`InitVar` fields of a dataclass: what `__post_init__` receives, and no attribute of the object."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

RECORD = """
from dataclasses import KW_ONLY, InitVar, dataclass, field
import dataclasses
import yaml

@dataclass
class Table:
    rows: Tensor = field(default_factory=lambda: torch.zeros(4, 2))
    width: InitVar[int] = 2
    file: "dataclasses.InitVar[str | None]" = None

    def __post_init__(self, width, file):
        self.net = nn.Linear(width, 5)
        if file is not None:
            for name, rows in yaml.safe_load(file).items():
                setattr(self, name, torch.tensor(rows))

"""
QUIET = {
    "a size that is passed": "Table(width=3).net(torch.zeros(1, 3))",
    "a default": "Table().net(torch.zeros(1, 2))",
    "a field": "Table().rows + torch.zeros(4, 2)",
    "a field that is read from a file": "Table(file='table.yaml').rows + torch.zeros(3, 2)",
}
FOUND = {
    "a size that is passed": "Table(width=3).net(torch.zeros(1, 2))  # HERE",
    "a default": "Table().net(torch.zeros(1, 3))  # HERE",
    "a field": "Table().rows + torch.zeros(3, 2)  # HERE",
}


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, RECORD + QUIET[case] + "\n") == []


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = RECORD + FOUND[case] + "\n"
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
