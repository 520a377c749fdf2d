"""How much is tried by tests that draw at random: a part by default, all in `nox -s long`."""

from __future__ import annotations

import os

IS_LONG = bool(os.environ.get("SHAPECHECK_LONG"))


def amount(variable: str, short: int, long: int) -> int:
    """A number that a variable of the environment may set."""
    return int(os.environ.get(variable, long if IS_LONG else short))


def examples(long: int) -> int:
    """How many examples Hypothesis draws for a law that takes a second or more of them."""
    return long if IS_LONG else long // 4
