"""What a docstring or a comment claims about the shape of a parameter, a result or an assigned name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MANY = "..."
"""Any number of dimensions."""


class ClaimedShape(NamedTuple):
    """One shape: a number, the text of a size, or `MANY` for each item."""

    dims: tuple[int | str, ...]

    @property
    def rank(self) -> int | None:
        """The number of dimensions; None if there can be any number of some."""
        return None if MANY in self.dims else len(self.dims)

    def __str__(self) -> str:
        end = "," if self.rank == 1 else ""
        return f"({', '.join(map(str, self.dims))}{end})"


class Claim(NamedTuple):
    """The shapes that a name has according to its author: one of several if there are several.

    The place is that of the text that states the shapes: lines and columns from 1, in code points, the end exclusive.
    """

    name: str
    shapes: tuple[ClaimedShape, ...]
    text: str
    """The text that states them, in one line."""
    line: int
    column: int
    end_line: int
    end_column: int
    is_comment: bool
    says_tensor: bool = False
    """Whether the text calls it a tensor."""
    path: str = ""
    """The displayed path of its file, if that is not the file of the function."""

    @property
    def rank(self) -> int | None:
        """The number of dimensions, if all shapes have it."""
        ranks = {one.rank for one in self.shapes}
        return ranks.pop() if len(ranks) == 1 else None

    @property
    def shape(self) -> ClaimedShape | None:
        """The only shape, or the first of several with equally many dimensions; None if their number is not known."""
        return None if self.rank is None else self.shapes[0]


@dataclass(frozen=True, slots=True)
class FunctionClaims:
    """The claims of one function."""

    parameters: Mapping[str, Claim] = field(default_factory=dict)
    """About the arguments when the function is called."""
    result: Claim | None = None
    assigned: Sequence[Claim] = ()
    """About names after an assignment; the line is that of the last line of the assignment."""

    def __bool__(self) -> bool:
        return bool(self.parameters or self.assigned or self.result)
