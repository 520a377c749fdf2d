"""Parameters that a function only tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shapecheck.harness.inputs.flags import flags_of


def conditional(self, x, train, mask=None):  # type: ignore[no-untyped-def]
    if (train and self.rate) or mask is not None:
        x = x * 2
    return x if not train else x + 1


def passed_on(self, x, train):  # type: ignore[no-untyped-def]
    return self.layer(x, train) if train else x


def compared(x, mode):  # type: ignore[no-untyped-def]
    if mode == "train":
        return x
    return -x


def changed(x, train):  # type: ignore[no-untyped-def]
    train = train or x
    x = x * 2
    return x, train


FLAGS: dict[str, tuple[Callable[..., Any], set[str]]] = {
    "in conditions": (conditional, {"train"}),
    "also as an argument": (passed_on, set()),
    "in a comparison": (compared, set()),
    "assigned": (changed, set()),
    "without source": (len, set()),
}


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_read_as_a_condition_alone(name: str) -> None:
    function, expected = FLAGS[name]
    assert flags_of(function) == expected
