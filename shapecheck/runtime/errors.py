"""The exceptions of checked functions."""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec.errors import ShapeError as _ShapeError


class ErrorLocation(NamedTuple):
    """Where a value breaks its annotation; see the properties of ShapeError."""

    function: str
    path: str
    axis: int | None = None
    bound_by: str | None = None


class ShapeError(_ShapeError, TypeError):
    """A value breaks its annotation. It is a `shapecheck.ShapeError`, and a TypeError.

    place: where. expected, actual: what does not go together.
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
        """The parameter or the part of it that is wrong: `k`, `xs[1]`, `batch.image`, `return`."""
        return self.place.path

    @property
    def axis(self) -> int | None:
        """The index of the wrong axis from the left, None where no single axis is to blame."""
        return self.place.axis

    @property
    def bound_by(self) -> str | None:
        """Where the expected size comes from, `q[2]`; None where the annotation itself says it."""
        return self.place.bound_by

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.place, self.expected, self.actual)


class AnnotationWarning(UserWarning):
    """An annotation that cannot be read is not checked."""


class Mismatch(Exception):
    """Raised and caught within a generated function; what is wrong is found out afterwards."""
