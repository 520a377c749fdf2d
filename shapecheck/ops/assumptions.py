"""What a rule had to assume: sizes that must be equal and are not known to be.

A caller that knows more (or later more) than one operator collects them and checks them where the sizes are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shapecheck.spec import Size, same

_collectors: list[list[Assumption]] = []


class Assumption:
    """`left` must equal `right`, otherwise the call fails with `message`."""

    __slots__ = ("left", "message", "right")

    def __init__(self, left: Size, right: Size, message: str) -> None:
        self.left = left
        self.right = right
        self.message = message

    def __repr__(self) -> str:
        return f"{self.left} == {self.right} ({self.message})"


@contextmanager
def assuming() -> Iterator[list[Assumption]]:
    """Collects what the rules assume while the block runs."""
    collected: list[Assumption] = []
    _collectors.append(collected)
    try:
        yield collected
    finally:
        _collectors.pop()


def equal(left: Size, right: Size, message: str) -> bool:
    """False where the two sizes differ for sure; where that is open, the equality is noted as an assumption."""
    if left == right:
        return True
    known = same(left, right)
    if known is None and _collectors:
        _collectors[-1].append(Assumption(left, right, message))
    return known is not False
