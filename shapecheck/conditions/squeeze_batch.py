"""`x.squeeze()` of a batch: a batch of one sample loses its first dimension too."""

from __future__ import annotations

from typing import Final, NamedTuple

from shapecheck.spec import Dim, Shape, Size, at_least
from shapecheck.spec.dim import is_variable

CODE: Final = "squeeze-batch"
OPERATORS: Final = ("squeeze",)


class LostBatch(NamedTuple):
    """A squeeze without `dim` that removes the batch dimension together with the intended ones."""

    shape: Shape
    axes: tuple[int, ...]
    """The intended dimensions."""
    batch: int = 0
    """The dimension of the batch."""

    @property
    def message(self) -> str:
        """What the user reads."""
        dim = str(self.axes[0]) if len(self.axes) == 1 else f"({', '.join(map(str, self.axes))})"
        return f"squeeze() also removes the batch dimension; use squeeze({dim})"

    @property
    def explanation(self) -> str:
        """What a note adds about the input."""
        if self.shape.rank is None:
            return f"the input has shape {self.shape}, whose other dimensions may be 1"
        which = f"dimension {self.batch}" if self.batch else "first dimension"
        return f"the input has shape {self.shape}, whose {which} may be 1"


def find(shape: Shape, *, of_one_run: bool) -> LostBatch | None:
    """A first dimension that may be 1, and another one that is known to be 1.

    of_one_run: the sizes are those of one run, so that a first dimension of 1 is a batch of one sample. In source a
    constant 1 is 1 in every run, and squeezed on purpose.
    """
    if not shape.rank or not _may_be_lost(shape.dims[0], of_one_run=of_one_run):
        return None
    axes = tuple(axis for axis, size in enumerate(shape.dims) if axis and size == 1)
    return LostBatch(shape, axes) if axes else None


def find_anywhere(shape: Shape) -> LostBatch | None:
    """The first dimension of a name that may be 1, taken to be the batch, and another one that is known to be 1."""
    names = (axis for axis, size in enumerate(shape.dims) if is_variable(size) and _may_be_lost(size, of_one_run=False))
    batch = next(names, None)
    axes = tuple(axis for axis, size in enumerate(shape.dims) if size == 1)
    return None if batch is None or not axes else LostBatch(shape, axes, batch)


def _may_be_lost(size: Size, *, of_one_run: bool) -> bool:
    return size == 1 if of_one_run else isinstance(size, Dim) and not at_least(size, 2)
