"""Errors in calls and annotations, one exception per kind.

All of them derive from `ShapeError`, whose text is the message: the operator, the two sizes, where they are and what
is expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shapecheck.spec.dim import Size


class WrongAxis(NamedTuple):
    """A dimension of a tensor whose size is not the one that its annotation requires.

    axis: its index, which counts from the end where it is negative. actual, expected: the two sizes.
    """

    axis: int
    actual: object
    expected: object


class ShapeError(Exception):
    """PyTorch refuses this call because of its shapes, or the shapes break an annotation.

    `sizes` are the two that conflict, or a size and the name of its divisor; empty if the error is not about a pair.
    `wrong_axis` is the dimension that breaks an annotation, if it is a single one.
    `names` are the axis names that the violated part of an annotation uses.
    """

    sizes: tuple[Size | str | None, ...] = ()
    wrong_axis: WrongAxis | None = None
    names: tuple[str, ...] = ()

    def between(self, *sizes: Size | str | None) -> ShapeError:
        """This error, with the sizes that conflict."""
        self.sizes = sizes
        return self

    def about(self, *names: str) -> ShapeError:
        """This error, with the axis names that the violated part of an annotation uses."""
        self.names = tuple(dict.fromkeys(names))
        return self


class DTypeError(ShapeError):
    """PyTorch refuses this call because of its dtypes."""


class LayoutError(ShapeError):
    """PyTorch refuses this call because of the tensor's memory layout (`.view` of a transposed tensor)."""


class CallError(ShapeError):
    """The operator does not accept these arguments: their number, a name, or a value of the wrong kind."""


class SignatureError(CallError):
    """The operator has no such signature, whatever the values are: an argument is missing, or one is too many."""


class NegativeSizeError(ShapeError):
    """PyTorch refuses this call because a size is negative."""


class AnnotationError(ShapeError):
    """A jaxtyping annotation or a size expression that cannot be read.

    `column` is the 0-based position in the annotation's string at which the invalid axis starts.
    """

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.column = column


class Unanswered(Exception):
    """A rule cannot determine the operator's result; `infer` returns `Unknown` with this reason."""
