"""Matches tensors against jaxtyping annotations, with the sizes that names are bound to so far.

For known sizes the result is jaxtyping's (`isinstance` inside one `jaxtyped` call). A size that is not known passes,
and the equality that it requires is recorded in `Bindings.open`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapecheck.spec.annotation import Annotation, AxisPattern, Fixed, Named, Symbolic, Variadic
from shapecheck.spec.bindings import NOTHING_BOUND, Bindings, BoundRun, agreed
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dim import Dim, Size, same, unknown
from shapecheck.spec.errors import AnnotationError, DTypeError, ShapeError, WrongAxis
from shapecheck.spec.presentation import value_text
from shapecheck.spec.shape import Shape
from shapecheck.spec.tensor import TensorSpec
from shapecheck.spec.terms import only_atom
from shapecheck.spec.variadic_axes import VariadicAxes

_MOST_HIDDEN = 256  # axes of an annotation that a shape of unknown rank may hide


def match(
    annotation: Annotation, spec: TensorSpec, bindings: Bindings = NOTHING_BOUND, *, order_free: bool = False
) -> Bindings:
    """Matches a tensor against an annotation; the result includes the names that it binds.

    Raises ShapeError, which names the dimension and both sizes, or DTypeError if the tensor is known not to match;
    AnnotationError where jaxtyping would raise one: a symbolic axis whose names are not bound yet. With `order_free`
    a symbolic axis is checked after the annotation's other axes, and one whose names are still unbound passes.
    """
    return _matched(annotation, spec, bindings, order_free)[0]


def match_any(
    annotations: Sequence[Annotation], spec: TensorSpec, bindings: Bindings = NOTHING_BOUND, *, order_free: bool = False
) -> Bindings:
    """Matches a tensor against a union: the first member that matches binds.

    If it is uncertain which one that is, only the bindings common to all candidates are kept. Raises ShapeError with
    every member's reason if none matches.
    """
    possible: list[Bindings] = []
    reasons: list[ShapeError] = []
    for annotation in annotations:
        try:
            found, certain = _matched(annotation, spec, bindings, order_free)
        except AnnotationError:
            raise
        except ShapeError as error:
            reasons.append(error)
            continue
        possible.append(found)
        if certain:
            break
    if not possible:
        text = "\n".join(map(str, reasons)) or f"expected no tensor, got a tensor of shape {spec.shape}"
        raise ShapeError(text).about(*(name for error in reasons for name in error.names))
    return possible[0] if len(possible) == 1 else agreed(possible)


def _matched(annotation: Annotation, spec: TensorSpec, bindings: Bindings, order_free: bool) -> tuple[Bindings, bool]:
    """The new bindings, and whether the match is certain."""
    matching = _Matching(annotation, spec, bindings, order_free)
    matching.check_dtype()
    matching.check_shape()
    opened = (*bindings.open, *matching.open)
    return Bindings(matching.sizes, matching.runs, bindings.holes, opened), matching.certain


class _Matching:
    """One tensor against one annotation; the order of the checks is jaxtyping's."""

    __slots__ = ("annotation", "certain", "deferred", "holes", "open", "order_free", "runs", "sizes", "spec")

    def __init__(self, annotation: Annotation, spec: TensorSpec, bindings: Bindings, order_free: bool) -> None:
        self.annotation = annotation
        self.spec = spec
        self.sizes: dict[str, Size] = dict(bindings.sizes)
        self.runs: dict[str, BoundRun] = dict(bindings.runs)
        self.holes = bindings.holes
        self.open: list[tuple[Size, Size]] = []
        self.certain = True
        self.order_free = order_free
        self.deferred: list[tuple[Symbolic, Size, int]] = []

    def check_dtype(self) -> None:
        allowed, dtype = self.annotation.dtypes, self.spec.dtype
        if allowed is None or dtype in allowed:
            return
        if dtype is not None or not allowed:
            got = f"a tensor of shape {self.spec.shape}" if dtype is None else f"dtype {dtype}"
            raise DTypeError(f"expected {self.annotation}, got {got}")
        self.certain = False

    def check_shape(self) -> None:
        axes, at = self.annotation.axes, self.annotation.variadic
        shape = self.spec.shape
        if shape.run is not None and len(axes) - shape.least_rank > _MOST_HIDDEN:
            self.certain = False
            return
        if at is None:
            self._check_axes(axes, self._exactly(shape, len(axes)), 0)
        else:
            head, middle, tail = self._unfolded(shape, at, len(axes) - at - 1)
            self._check_axes(axes[:at], head, 0)
            self._check_axes(axes[at + 1 :], tail, -len(tail))
            self._check_run(axes[at], middle)
        self.order_free = False
        for pattern, size, index in self.deferred:
            if pattern.expression.missing(self.sizes, self.holes):
                self.certain = False
            else:
                self._check_symbolic(pattern, size, index)

    def _exactly(self, shape: Shape, rank: int) -> Sequence[Size]:
        if shape.run is None and len(shape.head) == rank:
            return shape.head
        hidden = rank - shape.least_rank
        if shape.run is None or hidden < 0:
            raise self._rank_error(shape, rank)
        self.certain = False
        return (*shape.head, *_hidden(hidden), *shape.tail)

    def _unfolded(self, shape: Shape, first: int, last: int) -> tuple[Sequence[Size], Shape, Sequence[Size]]:
        """The sizes before the variadic axis, the shape that it matches, and the sizes after it."""
        head, run, tail = shape.head, shape.run, shape.tail
        if run is None:
            if len(head) < first + last:
                raise self._rank_error(shape, first + last, "at least ")
            end = len(head) - last
            return head[:first], Shape(head[first:end]), head[end:]
        missing_head, missing_tail = max(0, first - len(head)), max(0, last - len(tail))
        if missing_head or missing_tail:
            self.certain = False
            run = VariadicAxes()
        # If the run is shorter than the missing part, dimensions from the other end are there: these are uncertain.
        middle = Shape(
            head[first : max(first, len(head) - missing_tail)],
            run,
            tail[missing_head : max(missing_head, len(tail) - last)],
        )
        shown = tail[len(tail) - min(last, len(tail)) :]
        return (*head[:first], *_hidden(missing_head)), middle, (*_hidden(missing_tail), *shown)

    def _check_axes(self, axes: Sequence[AxisPattern], sizes: Sequence[Size], start: int) -> None:
        for index, (pattern, size) in enumerate(zip(axes, sizes, strict=True), start):
            if type(pattern) is Named and not pattern.broadcast and not pattern.tree:
                self._check_name(pattern, size, index)
            else:
                self._check_axis(pattern, size, index)

    def _check_axis(self, pattern: AxisPattern, size: Size, index: int) -> None:
        if pattern.broadcast and size == 1:
            return
        if pattern.broadcast and isinstance(size, Dim) and not _not_one(size):
            self._check_perhaps_one(pattern)
        elif isinstance(pattern, Named):
            if pattern.tree:
                raise _tree_error(pattern)
            self._check_name(pattern, size, index)
        elif isinstance(pattern, Fixed):
            self._compare(pattern, size, pattern.size, index)
        elif isinstance(pattern, Symbolic):
            self._check_symbolic(pattern, size, index)

    def _check_perhaps_one(self, pattern: AxisPattern) -> None:
        # The name is bound unless the size turns out to be 1: from here on it may have any size.
        self.certain = False
        if isinstance(pattern, Named):
            self.sizes.setdefault(pattern.name, unknown(pattern.name))

    def _check_name(self, pattern: Named, size: Size, index: int) -> None:
        bound = self.sizes.get(pattern.name)
        if bound is None:
            self.sizes[pattern.name] = size
        elif bound is not size:
            self._compare(pattern, size, bound, index)
            if isinstance(size, int):
                self.sizes[pattern.name] = size

    def _check_symbolic(self, pattern: Symbolic, size: Size, index: int) -> None:
        if self.order_free:
            self.deferred.append((pattern, size, index))
            return
        problem = pattern.expression.problem_with(self.holes)
        if problem is not None:
            raise AnnotationError(f"{self.annotation}: axis {pattern.quoted} {problem}", pattern.column)
        missing = pattern.expression.missing(self.sizes, self.holes)
        if missing:
            raise AnnotationError(
                f"{self.annotation}: axis {pattern.quoted} uses {missing[0]}, which no axis to its left "
                "and no earlier argument binds",
                pattern.column,
            )
        try:
            value = pattern.expression.value(self.sizes, self.holes)
        except (ZeroDivisionError, ShapeError) as error:
            raise AnnotationError(f"{self.annotation}: axis {pattern.quoted}: {error}", pattern.column) from None
        if value is None:
            self.certain = False
        elif isinstance(value, float):
            whole = int(value) if value.is_integer() else -1  # no size is -1
            self._compare(pattern, size, whole, index, str(value))
        else:
            self._compare(pattern, size, value, index)

    def _compare(self, pattern: AxisPattern, size: Size, required: Size, index: int, shown: str | None = None) -> None:
        equal = same(size, required)
        if equal:
            return
        if equal is None:
            self.certain = False
            self.open.append((size, required))
            return
        expected = shown or value_text(required)
        actual = f"another {value_text(size)}" if str(size) in (expected, pattern.text) else value_text(size)
        error = ShapeError(
            f"expected dimension {index} ({pattern.quoted}) to be {expected}, got {actual}: {self._mismatch}"
        )
        error.wrong_axis = WrongAxis(index, size, shown or required)
        raise error.about(*self._names_in(pattern))

    def _check_run(self, pattern: AxisPattern, shape: Shape) -> None:
        if not isinstance(pattern, Variadic) or pattern.name is None:
            return
        if pattern.tree:
            raise _tree_error(pattern)
        before = self.runs.get(pattern.name)
        if before is None:
            self.runs[pattern.name] = (pattern.broadcast, shape)
            return
        broadcasting, bound = before
        if not broadcasting and not pattern.broadcast:
            self._same_run(pattern, shape, bound, shape)
            if bound.run is not None and shape.run is None:
                self.runs[pattern.name] = (False, shape)
            return
        try:
            together = broadcast_shapes(shape, bound)
        except ShapeError:
            raise self._run_error(pattern, shape, bound, "broadcast with") from None
        if not broadcasting:
            self._same_run(pattern, together, bound, shape)
        else:
            if not pattern.broadcast:
                self._same_run(pattern, together, shape, shape)
            self.runs[pattern.name] = (pattern.broadcast, together)

    def _same_run(self, pattern: Variadic, left: Shape, right: Shape, shape: Shape) -> None:
        equal = _same_shape(left, right)
        if equal is False:
            raise self._run_error(pattern, shape, self.runs[pattern.name or ""][1], "be")
        if equal is None:
            self.certain = False
            if left.run is None and right.run is None:
                self.open += [pair for pair in zip(left.head, right.head, strict=True) if not same(*pair)]

    def _run_error(self, pattern: Variadic, shape: Shape, bound: Shape, how: str) -> ShapeError:
        message = f"expected {pattern.quoted} to {how} {bound}, got {shape}: {self._mismatch}"
        return ShapeError(message).about(pattern.name or "")

    def _names_in(self, pattern: AxisPattern) -> Sequence[str]:
        if isinstance(pattern, Symbolic):
            return pattern.expression.missing({}, self.holes)
        return [pattern.name] if isinstance(pattern, Named) else []

    @property
    def _mismatch(self) -> str:
        return f"shape {self.spec.shape} does not match {self.annotation}"

    def _rank_error(self, shape: Shape, required: int, least: str = "") -> ShapeError:
        dimensions = f"{required} dimension{'' if required == 1 else 's'}"
        return ShapeError(f"expected {least}{dimensions} ({self.annotation}), got shape {shape}")


def _tree_error(pattern: AxisPattern) -> AnnotationError:
    return AnnotationError(f'axis {pattern.quoted}: ? is allowed only inside PyTree[..., "T"]', pattern.column)


def _hidden(count: int) -> tuple[Size, ...]:
    return tuple(unknown(low=0) for _ in range(count))


def _not_one(size: Dim) -> bool:
    # A named axis can have any size, so it does not broadcast like a 1.
    atom = only_atom(size.terms)
    return (atom is not None and bool(atom.scope)) or same(size, 1) is False


def _same_shape(left: Shape, right: Shape) -> bool | None:
    if left.run is None and right.run is None:
        if len(left.head) != len(right.head):
            return False
        return _all(same(a, b) for a, b in zip(left.head, right.head, strict=True))
    if left.run == right.run:
        if left.least_rank != right.least_rank:
            return False
        if len(left.head) == len(right.head):
            return _all(same(a, b) for a, b in zip(left.head + left.tail, right.head + right.tail, strict=True))
    return _perhaps_same(left, right)


def _perhaps_same(left: Shape, right: Shape) -> bool | None:
    """False if the known sizes of the two differ, else None."""
    for one, other in ((left, right), (right, left)):
        if one.run is None and len(one.head) < other.least_rank:
            return False
    tails = [shape.head if shape.run is None else shape.tail for shape in (left, right)]
    ends = zip(reversed(tails[0]), reversed(tails[1]), strict=False)
    differ = any(same(a, b) is False for a, b in (*zip(left.head, right.head, strict=False), *ends))
    return False if differ else None


def _all(answers: Iterable[bool | None]) -> bool | None:
    result: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        result = result and answer
    return result
