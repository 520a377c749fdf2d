"""Shapes: the sizes of a tensor's dimensions, with at most one run of dimensions whose number is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import EllipsisType
from typing import Union

from shapecheck.spec.dim import Dim, Size, unknown
from shapecheck.spec.errors import ShapeError, Unanswered
from shapecheck.spec.presentation import value_text
from shapecheck.spec.variadic_axes import MOST_DIMENSIONS, VariadicAxes, hidden_sizes

_LONGEST_SIZE = 400  # characters
_LONGEST_IN_MESSAGE = 160

Axis = Union[int, Dim, str, "VariadicAxes", EllipsisType]


class Shape:
    """The sizes of a tensor: `head`, then, if the rank is unknown, `run` and `tail`.

    A shape of known rank has no run and an empty tail: `Shape((8, 3))`. `(..., 128)` is
    `Shape((), VariadicAxes(), (128,))`.
    """

    __slots__ = ("head", "run", "tail")

    def __init__(
        self, head: tuple[Size, ...] = (), run: VariadicAxes | None = None, tail: tuple[Size, ...] = ()
    ) -> None:
        self.head = head
        self.run = run
        self.tail = tail

    @staticmethod
    def of(axes: Shape | Axis | Iterable[Axis]) -> Shape:
        """A shape from its notation: ints, names, expressions such as "2*d", `...` and "*batch".

        Raises ShapeError for a negative size or a second run, AnnotationError for a name that cannot be read. Of more
        than 256 axes only those at either end are kept.
        """
        if type(axes) is Shape:
            return axes
        if type(axes) is tuple and all(type(size) is int and size >= 0 for size in axes):
            return _bounded(axes)
        if isinstance(axes, str):
            axes = axes.split()
        elif not isinstance(axes, Iterable):
            raise ShapeError(f"expected a shape to be a tuple of sizes, got {value_text(axes)}")
        return _read(axes)

    @staticmethod
    def anything() -> Shape:
        """An unknown shape."""
        return Shape((), VariadicAxes(), ())

    @property
    def rank(self) -> int | None:
        """The number of dimensions, None if it is unknown."""
        return len(self.head) if self.run is None else None

    @property
    def least_rank(self) -> int:
        """The number of dimensions that are known to exist."""
        return len(self.head) + len(self.tail)

    @property
    def dims(self) -> tuple[Size, ...]:
        """All sizes. Raises Unanswered where the rank is unknown, so that a rule that needs them gives no result."""
        if self.run is not None:
            raise Unanswered(f"the rank of {self} is unknown")
        return self.head

    def at(self, index: int) -> Size | None:
        """The size of the dimension at `index` (negative: from the end), None if the run hides it.

        Raises IndexError if the rank is known and the index out of range.
        """
        if self.run is None:
            return self.head[index]
        if index >= 0:
            return self.head[index] if index < len(self.head) else None
        return self.tail[index] if -index <= len(self.tail) else None

    def size(self, index: int) -> Size:
        """Like `at`, with an unknown size if the run hides the dimension: the same one each time."""
        found = self.at(index)
        if found is not None or self.run is None:
            return unknown(low=0) if found is None else found
        if index >= 0:
            return self.run.hidden_size(index - len(self.head), self.tail)
        return self.run.hidden_size(index + len(self.tail), self.head)

    def with_at(self, index: int, size: Size) -> Shape:
        """This shape with another size at `index`; if the run hides it, its hidden neighbours become unknown."""
        if self.run is None:
            dims = list(self.head)
            dims[index] = size
            return Shape(tuple(dims))
        if index >= 0:
            if index < len(self.head):
                return Shape((*self.head[:index], size, *self.head[index + 1 :]), self.run, self.tail)
            covered = index - len(self.head)
            return self._with_rest(0, (*self.head, *hidden_sizes(covered), size), (covered + 1, 0), self._after(index))
        shown = len(self.tail) + index
        if shown >= 0:
            return Shape(self.head, self.run, (*self.tail[:shown], size, *self.tail[shown + 1 :]))
        return self._with_rest(0, self._before(shown), (0, -shown), (size, *hidden_sizes(-shown - 1), *self.tail))

    def without(self, index: int) -> Shape:
        """This shape without the dimension at `index`."""
        if self.run is None:
            dims = list(self.head)
            del dims[index]
            return Shape(tuple(dims))
        if index >= 0:
            if index < len(self.head):
                return Shape(self.head[:index] + self.head[index + 1 :], self.run, self.tail)
            ends = (1, 0) if index == len(self.head) else None
            return self._with_rest(-1, self.head, ends, self._after(index))
        shown = len(self.tail) + index
        if shown >= 0:
            return Shape(self.head, self.run, self.tail[:shown] + self.tail[shown + 1 :])
        return self._with_rest(-1, self._before(shown), (0, 1) if shown == -1 else None, self.tail)

    def cut(self, first: int, last: int) -> VariadicAxes:
        """The run without so many axes at either end, if they are certain to be its own; else an unknown run."""
        if self.run is None or (first and self.tail) or (last and self.head):
            return VariadicAxes()
        return self.run.without_ends(first, last)

    def _with_rest(
        self, more: int, head: tuple[Size, ...], ends: tuple[int, int] | None, tail: tuple[Size, ...]
    ) -> Shape:
        """A shape with so many more dimensions than this, of which these are known.

        Its run is that of this shape without so many axes at either end, if they are certain to be its own.
        """
        if self.run is None:
            return Shape(head, VariadicAxes(), tail)
        if ends is None or (ends[0] and self.tail) or (ends[1] and self.head):
            return Shape(head, self.run.longer(self.least_rank + more - len(head) - len(tail)), tail)
        return Shape(head, self.run.without_ends(*ends), tail)

    # If the run is short, a dimension that it hides is among those on its other side; the ones beyond are certain.
    def _after(self, index: int) -> tuple[Size, ...]:
        return self.tail[index - len(self.head) + 1 :]

    def _before(self, shown: int) -> tuple[Size, ...]:
        return self.head[: max(len(self.head) + shown, 0)]

    def inserted(self, index: int, size: Size) -> Shape:
        """This shape with a new dimension, which is then the one at `index` (negative: -1 is the new last one)."""
        if self.run is None:
            at = index if index >= 0 else len(self.head) + 1 + index
            return Shape((*self.head[:at], size, *self.head[at:]))
        if index >= 0:
            if index <= len(self.head):
                return Shape((*self.head[:index], size, *self.head[index:]), self.run, self.tail)
            covered = index - len(self.head)
            return self._with_rest(1, (*self.head, *hidden_sizes(covered), size), (covered, 0), ())
        at = len(self.tail) + 1 + index
        if at >= 0:
            return Shape(self.head, self.run, (*self.tail[:at], size, *self.tail[at:]))
        return self._with_rest(1, (), (0, -at), (size, *hidden_sizes(-at), *self.tail))

    def __len__(self) -> int:
        return len(self.dims)

    def __iter__(self) -> Iterator[Size]:
        return iter(self.dims)

    def __getitem__(self, index: int) -> Size:
        return self.dims[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, tuple):
            return self.run is None and self.head == other
        if not isinstance(other, Shape):
            return NotImplemented
        return self.head == other.head and self.tail == other.tail and self.run == other.run

    def __hash__(self) -> int:
        return hash((self.head, self.run, self.tail))

    def __str__(self) -> str:
        return self._text(_LONGEST_SIZE, ends=32)

    def __format__(self, specification: str) -> str:
        """The text in an f-string, as messages use it: long shapes and sizes are elided."""
        text = self._text(_LONGEST_SIZE, ends=6)
        if len(text) > _LONGEST_IN_MESSAGE:
            count = len(self.head) + len(self.tail) + (self.run is not None)
            text = self._text(_LONGEST_IN_MESSAGE // min(count, 13), ends=6)
        return format(text, specification)

    def _text(self, longest: int, ends: int) -> str:
        """At most `2 * ends` dimensions, with sizes of at most `longest` characters."""
        parts: list[object] = [*self.head]
        if self.run is not None:
            parts += [self.run, *self.tail]
        if len(parts) > 2 * ends:
            parts[ends:-ends] = [f"<{len(parts) - 2 * ends} more>"]
        texts = [one if len(one) <= longest else f"{one[:longest]}..." for one in map(str, parts)]
        text = ", ".join(texts)
        return f"({text},)" if len(parts) == 1 and text != "..." else f"({text})"

    __repr__ = __str__


def _read(axes: Iterable[Axis]) -> Shape:
    head: list[Size] = []
    run: VariadicAxes | None = None
    tail: list[Size] = []
    for written in axes:
        part = _part(written)
        if not isinstance(part, VariadicAxes):
            (head if run is None else tail).append(part)
        elif run is not None:
            raise ShapeError(f"expected at most one run of unknown length, got {' and '.join(map(str, (run, part)))}")
        else:
            run = part
    return _bounded(tuple(head), run, tuple(tail))


def _bounded(head: tuple[Size, ...], run: VariadicAxes | None = None, tail: tuple[Size, ...] = ()) -> Shape:
    """Keeps only the dimensions at either end if there are more than in any model, so that rules stay fast."""
    if len(head) > MOST_DIMENSIONS:
        tail = (head if run is None else tail)[-MOST_DIMENSIONS // 2 :]
        return Shape(head[: MOST_DIMENSIONS // 2], VariadicAxes(), tail)
    return (
        Shape(head, run, tail)
        if len(tail) <= MOST_DIMENSIONS
        else Shape(head, VariadicAxes(), tail[-MOST_DIMENSIONS // 2 :])
    )


def _part(written: Axis) -> Size | VariadicAxes:
    part: Size | VariadicAxes
    if isinstance(written, str):
        if written == "...":
            return VariadicAxes()
        part = VariadicAxes(written[1:]) if written.startswith("*") else _expression(written)
    elif written is ...:
        return VariadicAxes()
    elif isinstance(written, (Dim, VariadicAxes)):
        return written
    elif hasattr(written, "__index__"):
        part = written.__index__()
    else:
        raise ShapeError(f"expected a size to be an int, a name, an expression or `...`, got {value_text(written)}")
    if isinstance(part, int) and part < 0:
        raise ShapeError(f"expected a size to be non-negative, got {part}")
    return part


def _expression(text: str) -> Size:
    from shapecheck.spec.expression import parse_size  # noqa: PLC0415 - it needs `ast`, which most uses don't

    return parse_size(text)
