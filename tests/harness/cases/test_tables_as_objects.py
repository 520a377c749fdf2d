"""Models from what a configuration file can say: tables for objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from torch import nn

from shapecheck.harness.cases.build import build
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case


@dataclass
class Heads:
    count: int = 2


@dataclass
class Config:
    width: int
    heads: Heads = field(default_factory=Heads)


class Net(nn.Module):
    def __init__(self, config: Config, options: dict[str, int], extra: Any = None) -> None:
        super().__init__()
        self.given = (config, options, extra)


def _given(kwargs: dict[str, Any]) -> Any:
    return build(Case("test:Net", Net, Path(__file__), 1, Declared(kwargs=kwargs))).given


@pytest.mark.parametrize(
    ("table", "made"),
    [
        ({"width": 8}, Config(8)),
        ({"width": 8, "heads": {"count": 4}}, Config(8, Heads(4))),
        ({"width": 8, "heads": Heads(5)}, Config(8, Heads(5))),
        (Config(9), Config(9)),
    ],
)
def test_a_table_becomes_the_class_of_its_parameter(table: Any, made: Config) -> None:
    assert _given({"config": table, "options": {"a": 1}, "extra": {"b": 2}}) == (made, {"a": 1}, {"b": 2})


@pytest.mark.parametrize("table", [{"size": 8}, {}, {"width": 8, "depth": 2}])
def test_a_table_that_the_class_does_not_take_stays_one(table: dict[str, int]) -> None:
    assert _given({"config": table, "options": {}})[0] is table
