"""Copies of records and their fields: what is not replaced is what the original has, not the default of the class."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
import copy
import dataclasses
from dataclasses import dataclass
from typing import NamedTuple
import lib

@dataclass
class Config:
    width: int = -1
    out: int = -1

@dataclass(frozen=True)
class Frozen:
    width: int = -1
    out: int = -1

    def __post_init__(self):
        object.__setattr__(self, "out", self.width)

class Pair(NamedTuple):
    width: int = -1
    out: int = -1

class Net(nn.Module):
    def __init__(self, config: {kind}, inner: int):
        super().__init__()
        {code}
        for dim in (made.width, made.out):
            torch.zeros(2, 3).sum(dim) + torch.zeros(3)
"""

COPIES = {
    "replace": ("Config", "made = dataclasses.replace(config, width=inner)"),
    "replace of copy": ("Config", "made = copy.replace(config, width=inner)"),
    "copy": ("Config", "made = copy.copy(config); made.width = inner"),
    "deepcopy": ("Config", "made = copy.deepcopy(config); made.width = inner"),
    "the object itself": ("Config", "made = config; made.width = inner"),
    "asdict": ("Config", "made = Config(**{**dataclasses.asdict(config), 'width': inner})"),
    "astuple": ("Config", "made = Config(*dataclasses.astuple(config))"),
    "vars": ("Config", "made = Config(**{**vars(config), 'width': inner})"),
    "__dict__": ("Config", "made = Config(**config.__dict__)"),
    "update of __dict__": ("Config", "made = Config(inner); made.__dict__.update(config.__dict__)"),
    "model_copy": ("Config", "made = config.model_copy(update={'width': inner})"),
    "fields with unknown names": ("Config", "made = Config()\n        for key in lib.keys(): setattr(made, key, 5)"),
    "an unknown function": ("Config", "made = Config(); lib.fill(made)"),
    "_replace": ("Pair", "made = config._replace(width=inner)"),
    "a frozen record": ("Config", "made = Frozen(0)"),
}


@pytest.mark.parametrize("name", COPIES)
def test_the_fields_of_a_copy(name: str, tmp_path: Path) -> None:
    kind, code = COPIES[name]
    assert check([lines_of(tmp_path, PROGRAM.format(kind=kind, code=code))[0]]) == []


@pytest.mark.parametrize("code", ["made = dataclasses.replace(Config(), width=0)", "made = copy.deepcopy(Config(0))"])
def test_a_default_that_is_kept(code: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, PROGRAM.format(kind="Config", code=code))
    (only,) = check([path])
    assert only.message.startswith("add: cannot broadcast (2,) and (3,)")
