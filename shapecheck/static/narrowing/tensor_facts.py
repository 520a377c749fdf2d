"""Narrows a tensor by its rank, its sizes or its dtype. Each function raises ShapeError if that contradicts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapecheck.spec import Dim, DType, Shape, ShapeError, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.spec.dim import size_of
from shapecheck.spec.errors import Unanswered
from shapecheck.spec.terms import EXACT, FLOOR, UNKNOWN, is_constant, of_atom, only_atom
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.sizes import is_size
from shapecheck.static.engine.path_constraints import FACTS, KnownFacts
from shapecheck.static.engine.run import Run

_NAMELESS: Mapping[int, str] = {}


def assume_equal(run: Run, left: Size, right: Size) -> Size:
    """Adds the path constraint that two sizes are equal; returns the more precise of them."""
    facts = run.knowledge.facts.learn_equal(left, right)
    if facts is not run.knowledge.facts:
        run.journal.write(run.knowledge, FACTS, KnownFacts(facts))
    left, right = facts.apply(left), facts.apply(right)
    return right if isinstance(left, Dim) else left


def assume_at_least(run: Run, size: Value, least: int) -> None:
    """Adds the path constraint that a size, if it is an unconstrained unknown, is at least this."""
    facts = run.knowledge.facts
    if isinstance(size, Dim) and facts.apply(size) == size and is_free(size):
        bounded = run.knowledge.bounded(size, size.name, least)
        run.journal.write(run.knowledge, FACTS, KnownFacts(facts.learn_equal(size, bounded)))


def assume_positive_width(run: Run, size: Dim) -> None:
    """Adds the path constraint that the size of a layer is at least 1, also if it is derived from an unknown size."""
    known = run.knowledge.facts.apply(size)
    atom = only_atom(known.terms) if isinstance(known, Dim) else None
    least = 1
    while atom is not None and atom.kind in (FLOOR, EXACT) and is_constant(atom.args[1]):
        least *= atom.args[1].get((), 0)
        atom = only_atom(atom.args[0])
    if atom is not None and atom.kind == UNKNOWN and (atom.low is None or atom.low < least):
        free = size_of(of_atom(atom))
        assume_equal(run, free, run.knowledge.bounded(free, atom.name, least))


def is_free(size: Dim) -> bool:
    """Whether it is a single unknown number without a known lower bound above 0."""
    atom = only_atom(size.terms)
    return atom is not None and atom.kind == UNKNOWN and (atom.low is None or atom.low < 1)


def with_rank(spec: TensorSpec, rank: int, names: Mapping[int, str] = _NAMELESS) -> TensorSpec:
    """The tensor with this rank; `names` are those of its new unknown sizes."""
    shape = spec.shape
    if shape.rank is not None:
        if shape.rank != rank:
            raise ShapeError(f"the rank is {shape.rank}, not {rank}")
        return spec
    hidden = rank - shape.least_rank
    if hidden < 0:
        raise ShapeError(f"the rank is at least {shape.least_rank}, not {rank}")
    begin = len(shape.head)
    middle = _unknown([names.get(axis, f"d{axis}") for axis in range(begin, begin + hidden)])
    return _with_shape(spec, Shape((*shape.head, *middle, *shape.tail)))


def with_least_rank(spec: TensorSpec, least: int) -> TensorSpec:
    """The tensor with this rank or a higher one."""
    shape = spec.shape
    if shape.rank is not None:
        if shape.rank < least:
            raise ShapeError(f"the rank is {shape.rank}, not at least {least}")
        return spec
    hidden = least - shape.least_rank
    return (
        spec
        if hidden <= 0
        else _with_shape(spec, Shape((*shape.head, *_unknown(["?"] * hidden)), VariadicAxes(), shape.tail))
    )


def without_least_rank(spec: TensorSpec) -> TensorSpec:
    """The tensor with only its last axis known, if its rank is unknown."""
    shape = spec.shape
    return spec if shape.rank is not None else _with_shape(spec, Shape((), VariadicAxes(), shape.tail[-1:]))


def with_axis(run: Run, spec: TensorSpec, axis: int, size: Value) -> TensorSpec:
    """The tensor with this size of an axis."""
    spec = with_least_rank(spec, axis + 1 if axis >= 0 else -axis)
    known = spec.shape.at(axis)
    if not is_size(size):
        return spec
    if known is None:
        return _with_shape(spec, spec.shape.with_at(axis, size))
    best = assume_equal(run, known, size)
    return spec if best == known else _with_shape(spec, spec.shape.with_at(axis, best))


def with_part(run: Run, spec: TensorSpec, start: int | None, stop: int | None, sizes: Sequence[Value]) -> TensorSpec:
    """The tensor for which `shape[start:stop]` has these sizes."""
    count = len(sizes)
    if spec.rank is None:
        rank = _rank_of_part(start, stop, count)
        if rank is not None:
            spec = with_rank(spec, rank)
    if spec.rank is not None:
        axes = list(range(spec.rank))[start:stop]
        if len(axes) != count:
            raise ShapeError(f"expected {count} sizes in this part of {spec.shape}, got {len(axes)}")
    elif not start and stop == count:
        axes = list(range(count))
    elif start == -count and stop is None:
        axes = list(range(-count, 0))
    else:
        return spec
    for axis, size in zip(axes, sizes, strict=True):
        spec = with_axis(run, spec, axis, size)
    return spec


def _rank_of_part(start: int | None, stop: int | None, count: int) -> int | None:
    """The rank, if `shape[1:]` or `shape[:-1]` has this many sizes; None if it does not follow."""
    if not count:
        return 0 if not start and stop is None else None
    if (start or 0) < 0 or (stop is not None and stop >= 0):
        return None
    return (start or 0) + count - (stop or 0)


def with_dtype(spec: TensorSpec, dtype: DType, *, same: bool) -> TensorSpec:
    """The tensor, given that it has this dtype, or that it does not."""
    if spec.dtype is None:
        return spec.with_dtype(dtype) if same else spec
    if (spec.dtype is dtype) is not same:
        raise ShapeError(f"the dtype is {spec.dtype}")
    return spec


def sizes_of(value: Value) -> tuple[Value, ...] | None:
    """The items of a tuple that a shape is compared with; None if they are unknown."""
    return value if type(value) is tuple else None


def _unknown(names: Sequence[str]) -> tuple[Size, ...]:
    if len(names) > 16:
        raise Unanswered("more dimensions than a tensor can have")
    return tuple(unknown(name, low=0) for name in names)


def _with_shape(spec: TensorSpec, shape: Shape) -> TensorSpec:
    """The same tensor with a more precise shape."""
    return TensorSpec.make(
        shape, spec.dtype, spec.layout, spec.device, spec.strides if shape.rank == spec.rank else None
    )
