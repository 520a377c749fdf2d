"""A function that is the default of a dataclass's field is called without the object, unlike a method."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import reported

HEAD = """
import dataclasses
from typing import Callable

def doubled(x, times=2):
    return x * times

@dataclasses.dataclass
class Tracker:
    name: str
    change: Callable = lambda x: x
    scale: Callable = doubled

    def named(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("tracker.change(3)", None),
        ("tracker.scale(3, 4)", None),
        ("tracker.scale(3, times=4)", None),
        ("tracker.named(3)", None),
        ("tracker.named()", "wrong-call"),
        ("tracker.named(3, 4)", "wrong-call"),
    ],
)
def test_a_call_of_a_field(call: str, code: str | None, tmp_path: Path) -> None:
    found = reported(tmp_path, f"{HEAD}\ndef use(tracker: Tracker):\n    return {call}\n")
    assert [one for _, one, _ in found] == ([] if code is None else [code])
