"""`x.squeeze()` of a batch: a batch of one sample loses its first axis too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shapecheck.spec import Dim, Shape, Size, at_least

CODE: Final = "squeeze-batch"
OPERATORS: Final = ("squeeze",)


@dataclass(frozen=True, slots=True)
class LostBatch:
    """A squeeze without `dim` that removes the batch with the axes that were meant."""

    shape: Shape
    axes: tuple[int, ...]
    """Those that were meant."""

    @property
    def message(self) -> str:
        """What the user reads."""
        dim = str(self.axes[0]) if len(self.axes) == 1 else f"({', '.join(map(str, self.axes))})"
        return f"squeeze() of {self.shape} removes axis 0 too where it is 1; write squeeze({dim})"


def find(shape: Shape, *, of_one_run: bool) -> LostBatch | None:
    """A first axis that may be 1 beside one that surely is.

    of_one_run: the sizes are those of one run, so that a first axis of 1 is a batch that happens to be of one sample.
    In source a constant 1 is 1 in every run, and squeezed on purpose.
    """
    if not shape.rank or not _may_be_lost(shape.dims[0], of_one_run=of_one_run):
        return None
    axes = tuple(axis for axis, size in enumerate(shape.dims) if axis and size == 1)
    return LostBatch(shape, axes) if axes else None


def _may_be_lost(size: Size, *, of_one_run: bool) -> bool:
    return size == 1 if of_one_run else isinstance(size, Dim) and not at_least(size, 2)
