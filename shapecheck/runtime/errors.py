"""The exceptions of checked functions."""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec.errors import ShapeError as _ShapeError


class ErrorLocation(NamedTuple):
    """Where a value does not match its annotation; see the properties of ShapeError."""

    function: str
    path: str
    axis: int | None = None
    bound_by: str | None = None
    is_dtype: bool = False


class ShapeError(_ShapeError, TypeError):
    """A value does not match its annotation. It is a `shapecheck.ShapeError` and a TypeError.

    place: where. expected, actual: the two values that differ.
    """

    def __init__(
        self,
        message: str,
        place: ErrorLocation,
        expected: object = None,
        actual: object = None,
    ) -> None:
        super().__init__(message)
        self.place = place
        self.expected = expected
        self.actual = actual

    @property
    def function(self) -> str:
        """The function, by its qualified name."""
        return self.place.function

    @property
    def path(self) -> str:
        """The parameter, or the value in it, that is wrong: `k`, `xs[1]`, `batch.image`, `return`."""
        return self.place.path

    @property
    def axis(self) -> int | None:
        """The index of the wrong dimension from the left, None if no single dimension is wrong."""
        return self.place.axis

    @property
    def bound_by(self) -> str | None:
        """Where the expected size comes from, `q[2]`; None if the annotation states it."""
        return self.place.bound_by

    @property
    def is_about_dtype(self) -> bool:
        """Whether the dtype is wrong, and not the shape."""
        return self.place.is_dtype

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.place, self.expected, self.actual)


class AnnotationWarning(UserWarning):
    """An annotation cannot be read and is not checked."""


class Mismatch(Exception):
    """Raised and caught within a generated function; the explainer then finds what is wrong."""
