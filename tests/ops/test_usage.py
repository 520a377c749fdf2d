"""The 400 names that 12 public repositories use most, each answered.

`operator_usage.csv` counts calls in modules: kind, name, calls, files.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from shapecheck.ops import find

with Path(__file__).with_name("operator_usage.csv").open() as _lines:
    ROWS = [(row["kind"], row["name"]) for row in csv.DictReader(_lines)]


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_a_name_that_models_use_has_a_rule(kind: str, name: str) -> None:
    del kind
    assert find(name) is not None


def test_all_of_the_first_400_are_here() -> None:
    assert len(ROWS) == len(set(ROWS)) == 400
