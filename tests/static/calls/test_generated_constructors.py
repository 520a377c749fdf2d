"""Constructors that `dataclass` generates, called by `super().__init__(...)` or inherited by a plain class."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

RECORDS = """
from dataclasses import dataclass, field

class Node:
    origins = set()

    def __post_init__(self):
        self.seen = set(self.origins)

@dataclass
class Buffer(Node):
    name: str
    layout: object

@dataclass
class Kernel(Buffer):
    sizes: tuple = ()
    options: dict = field(default_factory=dict)
"""

QUIET = {
    "passed on by a constructor": """
class Collective(Kernel):
    def __init__(self, layout, sizes):
        super().__init__(None, layout, sizes)

    def weight(self):
        rows, columns = self.sizes
        return torch.zeros(rows, columns)
""",
    "passed on as a whole": """
class Collective(Kernel):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)

    def weight(self):
        rows, columns = self.sizes
        return torch.zeros(rows, columns)
""",
    "inherited": """
class Collective(Kernel):
    def weight(self):
        rows, columns = self.sizes
        return torch.zeros(rows, columns)
""",
}
FOUND = {
    "passed on by a constructor": """
class Collective(Kernel):
    def __init__(self, layout):
        super().__init__(None, layout, (2, 3))

    def weight(self):
        return torch.zeros(self.sizes) @ torch.zeros(2, 5)  # HERE
""",
    "inherited": """
class Collective(Kernel):
    def weight(self):
        return torch.zeros(self.sizes) @ torch.zeros(2, 5)  # HERE

Collective("name", None, (2, 3)).weight()
""",
}


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_fields_are_what_callers_pass(source: str, tmp_path: Path) -> None:
    assert reported(tmp_path, RECORDS + source) == []


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_fields_are_known(source: str, tmp_path: Path) -> None:
    ((line, code, message),) = reported(tmp_path, RECORDS + source)
    assert (line, code) == (place(RECORDS + source), "shape-mismatch")
    assert "(2, 3) @ (2, 5)" in message
