"""Assumptions of rules: sizes that must be equal and are not known to be, and ranks that must be what is not known.

A caller that has more information than one operator, or has it later, collects and checks them.
"""

from __future__ import annotations

from shapecheck.spec import Shape, Size, same

_collectors: list[Assumptions] = []


class Assumption:
    """`left` must equal `right`, otherwise the call fails with `message`."""

    __slots__ = ("left", "message", "right")

    def __init__(self, left: Size, right: Size, message: str) -> None:
        self.left = left
        self.right = right
        self.message = message

    def __repr__(self) -> str:
        return f"{self.left} == {self.right} ({self.message})"


class Assumptions(list[Assumption]):
    """The equalities that rules assumed, and `shapes`: inputs of unknown rank, each with the shape it must have."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes: list[tuple[Shape, Shape]] = []


class assuming:
    """Collects what the rules assume while the block runs. A class, for a generator takes four times as long."""

    __slots__ = ()

    def __enter__(self) -> Assumptions:
        collected = Assumptions()
        _collectors.append(collected)
        return collected

    def __exit__(self, *_: object) -> None:
        _collectors.pop()


def equal(left: Size, right: Size, message: str) -> bool:
    """False if the two sizes are known to differ; if they may be equal, the equality is recorded as an assumption."""
    if left == right:
        return True
    known = same(left, right)
    if known is None and _collectors:
        _collectors[-1].append(Assumption(left, right, message))
    return known is not False


def has_shape(given: Shape, known: Shape) -> None:
    """Records that an input of unknown rank must have this shape, which is at least as precise."""
    if _collectors and given.run is not None:
        _collectors[-1].shapes.append((given, known))
