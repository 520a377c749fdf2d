"""What can be wrong with a call or an annotation, one exception per kind.

All of them derive from `ShapeError`, whose text is the message: the operator, the two sizes, where they sit and what
would fit.
"""

from __future__ import annotations

from typing import NamedTuple


class WrongAxis(NamedTuple):
    """An axis of a tensor that has not the size that its annotation asks for.

    axis: its index, which counts from the end where it is negative. actual, expected: the two sizes.
    """

    axis: int
    actual: object
    expected: object


class ShapeError(Exception):
    """PyTorch refuses this call because of its shapes, or the shapes break an annotation.

    `sizes` are the two that do not go together, where the refusal is of such a pair. `wrong_axis` is the one that
    breaks an annotation, where it is one.
    """

    sizes: tuple[object, ...] = ()
    wrong_axis: WrongAxis | None = None

    def between(self, *sizes: object) -> ShapeError:
        """The same refusal, of these sizes."""
        self.sizes = sizes
        return self


class DTypeError(ShapeError):
    """PyTorch refuses this call because of its dtypes."""


class LayoutError(ShapeError):
    """PyTorch refuses this call because of how the tensor lies in memory (`.view` of a transposed tensor)."""


class CallError(ShapeError):
    """The operator takes no such arguments: their number, a name, or a value of the wrong kind."""


class AnnotationError(ShapeError):
    """A jaxtyping annotation or a size expression that cannot be read.

    `column` is the 0-based place in the annotation's string where the bad axis starts.
    """

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.column = column


class Unanswered(Exception):
    """A rule cannot tell what the operator gives; `infer` turns it into `Unknown` with this reason."""
