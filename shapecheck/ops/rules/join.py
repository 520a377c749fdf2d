"""Joining tensors: along an existing dimension (cat), along a new one (stack), and on grids."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial
from typing import Any

from shapecheck.ops.assumptions import has_shape
from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, axis, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype, promoted
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import (
    CallError,
    Layout,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    VariadicAxes,
    at_least,
    quotient,
    total,
    unknown,
)
from shapecheck.spec.dtype import DEFAULT_FLOAT, DType
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, numel, strides_of


@op("cat", "concat", "concatenate", traits=Trait.ONE_DEVICE | Trait.BATCH_FIRST | Trait.JOINS)
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """The sizes at dim add up, all other ones are equal. A vector of no elements is skipped."""
    return _cat(_listed(tensors), dim)


def _cat(given: list[TensorSpec], dim: int) -> TensorSpec:
    for place, tensor in enumerate(given):
        if tensor.rank == 0:
            raise ShapeError(f"cannot concatenate a 0-D tensor (input {place}); use stack")
    joined = [(place, tensor.shape) for place, tensor in enumerate(given) if tensor.shape != (0,)]
    dtype = promoted(*given) if len(given) > 1 else given[0].dtype
    if not joined:
        return fresh((0,), dtype, given[0])
    rank = _common_rank(joined)
    if rank is None:
        return fresh_shape(_open_cat([shape for _, shape in joined], dim), dtype, given[0], "unknown")
    all_sizes = [(place, _of_rank(shape, rank)) for place, shape in joined]
    layouts = {tensor.layout for tensor in given}
    layout: Layout = layouts.pop() if layouts in ({"contiguous"}, {"channels_last"}) else "unknown"
    if rank < 4:
        layout = "contiguous"
    along = axis(dim, rank, "each input")
    result = _added(all_sizes, along)
    for (_, shape), (_, sizes) in zip(joined, all_sizes, strict=True):
        _has_sizes(shape, sizes, result, along)
    return fresh_shape(Shape(result), dtype, given[0], layout)


def _has_sizes(shape: Shape, sizes: Sequence[Size | None], result: Sequence[Size], along: int | None) -> None:
    """Records that a joined shape of unknown rank has the sizes of the result, except in the dimension that grows."""
    if shape.run is not None:
        shared = (None if at == along else size for at, size in enumerate(result))
        dims = (other if size is None else size for size, other in zip(sizes, shared, strict=True))
        has_shape(shape, Shape(tuple(unknown(low=0) if size is None else size for size in dims)))


def _common_rank(joined: list[tuple[int, Shape]]) -> int | None:
    """The rank of all inputs, as far as it is known; raises ShapeError if two differ."""
    known = [(place, shape) for place, shape in joined if shape.rank is not None]
    if not known:
        return None
    first_place, first = known[0]
    for place, shape in known:
        if shape.rank == first.rank:
            continue
        if any(one.rank == 1 and not at_least(one.head[0], 1) for one in (first, shape)):
            raise Unanswered("1-D input that may be empty")
        raise ShapeError(
            f"expected inputs of the same rank, got shape {first} in input {first_place} and {shape} in input {place}"
        )
    return first.rank


def _added(inputs: list[tuple[int, list[Size | None]]], dim: int) -> tuple[Size, ...]:
    """The sizes at dim added up; raises ShapeError if others differ."""
    first_place, first = inputs[0]
    result = list(first)
    result[dim] = _total([sizes[dim] for _, sizes in inputs])
    for place, sizes in inputs[1:]:
        for at, (size, so_far) in enumerate(zip(sizes, result, strict=True)):
            if at != dim and size is not so_far and size != so_far:
                result[at] = _merged(
                    size,
                    so_far,
                    f"sizes must match except in dimension {dim}: "
                    f"dimension {at} is {so_far} in input {first_place} and {size} in input {place}",
                )
    return tuple(unknown(low=0) if size is None else size for size in result)


def _total(sizes: Sequence[Size | None]) -> Size | None:
    known = [size for size in sizes if size is not None]
    return total(known) if len(known) == len(sizes) else None


def _merged(one: Size | None, other: Size | None, message: str) -> Size | None:
    """A size that must equal both, as far as it is known; raises ShapeError(message) if they differ."""
    if one is None or other is None:
        return other if one is None else one
    need_equal(one, other, message)
    return one if type(one) is int else other


def _of_rank(shape: Shape, rank: int) -> list[Size | None]:
    """The sizes of a shape that must have this rank, None for those that its run hides."""
    if shape.run is None:
        return list(shape.head)
    hidden = rank - shape.least_rank
    if hidden < 0:
        raise ShapeError(f"expected inputs of the same rank, got shape {shape} and a {rank}-D input")
    return [*shape.head, *[None] * hidden, *shape.tail]


def _open_cat(shapes: list[Shape], dim: int) -> Shape:
    """Of inputs whose ranks are all unknown."""
    joined = _total([shape.at(dim) for shape in shapes])
    shape = shapes[0]
    if any(len(other.head) > len(shape.head) or len(other.tail) > len(shape.tail) for other in shapes[1:]):
        shape = max(shapes, key=lambda one: one.least_rank)
    return shape.with_at(dim, unknown(low=0) if joined is None else joined)


def _listed(tensors: Any, need_some: bool = True) -> list[TensorSpec]:
    """The tensors to join; raises CallError if they are not a list of tensors."""
    if isinstance(tensors, TensorSpec):
        if tensors.rank is None and tensors.dtype is None:
            raise Unanswered("unknown list of tensors")
        raise CallError(f"expected a tuple or list of tensors, got {value_text(tensors)}")
    if not isinstance(tensors, (list, tuple)):
        raise Unanswered(f"unknown list of tensors: {value_text(tensors)}")
    if not tensors and need_some:
        raise ShapeError("expected at least one tensor, got an empty list")
    for place, tensor in enumerate(tensors):
        if not isinstance(tensor, (TensorSpec, Unknown)):
            raise CallError(f"expected input {place} to be a tensor, got {value_text(tensor)}")
    return [tensor if isinstance(tensor, TensorSpec) else TensorSpec.anything() for tensor in tensors]


def _given(tensors: tuple[Any, ...]) -> list[TensorSpec]:
    """Tensors given as `f(a, b)` or `f([a, b])`."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return _listed(tensors[0])
    return _listed(tensors, need_some=False)


@op("stack", traits=Trait.ONE_DEVICE | Trait.BATCH_FIRST | Trait.JOINS)
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """A new dimension at dim, whose size is the number of tensors; all have the same shape."""
    given = _listed(tensors)
    dtype = promoted(*given) if len(given) > 1 else given[0].dtype
    at_first = next((at for at, tensor in enumerate(given) if tensor.rank is not None), None)
    if at_first is None:
        return fresh_shape(_open_stack(given, dim), dtype, given[0], "unknown")
    first = given[at_first]
    place = axis(dim, len(first.dims) + 1, "the result")
    sizes: list[Size | None] = list(first.dims)
    for at, tensor in enumerate(given):
        if tensor.rank not in (None, len(sizes)):
            shapes = f"shape {first.shape} in input {at_first} and {tensor.shape} in input {at}"
            raise ShapeError(f"expected inputs of the same shape, got {shapes}")
        for place_, size in enumerate(_of_rank(tensor.shape, len(sizes))):
            differ = f"dimension {place_} is {sizes[place_]} in input {at_first} and {size} in input {at}"
            sizes[place_] = _merged(size, sizes[place_], f"sizes must match: {differ}")
    dims = tuple(unknown(low=0) if size is None else size for size in sizes)
    for tensor in given:
        has_shape(tensor.shape, Shape(dims))
    layout: Layout = "contiguous" if len(sizes) < 3 or all(one.layout == "contiguous" for one in given) else "unknown"
    return fresh_shape(Shape((*dims[:place], len(given), *dims[place:])), dtype, given[0], layout)


def _open_stack(given: list[TensorSpec], dim: int) -> Shape:
    longest = max((tensor.shape for tensor in given), key=lambda shape: shape.least_rank)
    return longest.inserted(dim, len(given))


def at_least_of_rank(tensor: TensorSpec, rank: int) -> TensorSpec:
    """The tensor as atleast_1d, atleast_2d and atleast_3d make it: (n,) is (1, n) and (1, n, 1)."""
    if tensor.rank is None:
        if tensor.shape.least_rank >= rank:
            return tensor
        return tensor.with_shape(Shape((), VariadicAxes(), tuple(unknown(low=0) for _ in range(rank))))
    dims = tensor.dims
    if len(dims) >= rank:
        return tensor
    grown = {1: (1,), 2: (1, *(dims or (1,))), 3: (1, *(dims or (1,)), 1)[-3:]}[rank]
    if rank == 3 and len(dims) == 2:
        grown = (*dims, 1)
    return tensor.with_shape(Shape(grown), tensor.layout)


@op("hstack")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along dimension 1, vectors along dimension 0."""
    given = [at_least_of_rank(tensor, 1) for tensor in _listed(tensors)]
    if given[0].rank is None:
        raise Unanswered("first input of unknown rank")
    return _cat(given, 0 if given[0].rank == 1 else 1)


@op("vstack", "row_stack")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along dimension 0, vectors as rows."""
    return _cat([at_least_of_rank(tensor, 2) for tensor in _listed(tensors)], 0)


@op("dstack")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along dimension 2; tensors with fewer than three dimensions get dimensions of 1."""
    return _cat([at_least_of_rank(tensor, 3) for tensor in _listed(tensors)], 2)


@op("column_stack")
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along dimension 1, vectors as columns."""
    columns = [
        tensor.with_shape(Shape((numel(tensor.dims), 1)), tensor.layout) if tensor.rank in (0, 1) else tensor
        for tensor in _listed(tensors)
    ]
    return _cat(columns, 1)


@op("block_diag")
def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with the rows and columns of all matrices together; vectors count as rows."""
    rows: Size = 0
    columns: Size = 0
    given = _given(tensors)
    if not given:
        return fresh((1, 0), DEFAULT_FLOAT)
    for place, tensor in enumerate(given):
        if len(tensor.dims) > 2:
            raise ShapeError(f"expected at most 2 dimensions, got shape {tensor.shape} in input {place}")
        row, column = (1, 1, *tensor.dims)[-2:]
        rows, columns = rows + row, columns + column
    return fresh((rows, columns), promoted(*given), given[0])


@op("cartesian_prod")
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """(product of the sizes, number of vectors); a single vector is returned unchanged."""
    given = _given(tensors)
    if not given:
        raise ShapeError("expected at least one tensor, got an empty list")
    for tensor in given:
        if len(tensor.dims) != 1:
            raise ShapeError(f"expected 1-D inputs, got shape {tensor.shape}")
    if len(given) == 1:
        return given[0]
    return fresh((numel(tensor.dims[0] for tensor in given), len(given)), _one_dtype(given), given[0])


def _one_dtype(given: list[TensorSpec]) -> DType | None:
    return need_same_dtype(*((f"input {place}", tensor) for place, tensor in enumerate(given)))


@op("combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """(number of ways to choose r of the elements, r)."""
    if len(input.dims) != 1:
        raise ShapeError(f"expected a 1-D input, got shape {input.shape}")
    if not isinstance(r, int):
        raise Unanswered(f"unknown length of the combinations: {value_text(r)}")
    if r < 0:
        raise ShapeError(f"expected r to be non-negative, got {r}")
    if r == 0:
        return fresh((0,), input.dtype, input)
    size = input.dims[0]
    if type(size) is int:
        number = comb(size + r - 1, r) if with_replacement and size else comb(size, r)
        return fresh((number, r), input.dtype, input)
    ways: Size = 1
    for step in range(r):
        ways = ways * (size + step if with_replacement else size - step)
    return fresh((quotient(ways, factorial(r)), r), input.dtype, input)


@op("meshgrid", traits=Trait.FOR_BROADCASTING | Trait.SEVERAL_RESULTS)
def meshgrid(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """One tensor for each vector, all of shape (n1, n2, ...); indexing="xy" swaps the first two dimensions."""
    given = _given(tensors)
    if not given:
        raise ShapeError("expected at least one tensor, got an empty list")
    if indexing not in (None, "ij", "xy"):
        raise CallError(f'expected indexing to be "ij" or "xy", got {value_text(indexing)}')
    _one_dtype(given)
    sizes: list[Size] = []
    for tensor in given:
        if len(tensor.dims) > 1:
            raise ShapeError(f"expected 0-D or 1-D inputs, got shape {tensor.shape}")
        sizes.append(tensor.dims[0] if tensor.dims else 1)
    order = list(range(len(sizes)))
    if indexing == "xy" and len(sizes) > 1:
        order[:2] = [1, 0]
    shape = tuple(sizes[place] for place in order)
    return tuple(_expanded(tensor, shape, order.index(place)) for place, tensor in enumerate(given))


def _expanded(tensor: TensorSpec, shape: tuple[Size, ...], along: int) -> TensorSpec:
    own = strides_of(tensor)
    strides = (
        None if own is None else tuple((own[0] if own else 1) if place == along else 0 for place in range(len(shape)))
    )
    return laid_out(tensor, shape, strides)


@op("_chunk_cat")
def chunk_cat(tensors: Sequence[Tensor], dim: int, num_chunks: int) -> Tensor:
    """Each tensor in num_chunks chunks along dim, flattened and joined: (leading sizes, num_chunks, sum)."""
    given = _listed(tensors)
    if num_chunks < 1:
        raise ShapeError(f"expected num_chunks to be positive, got {num_chunks}")
    dim = axis(dim, len(given[0].dims))
    leading = given[0].dims[:dim]
    length: Size = 0
    for place, tensor in enumerate(given):
        if len(tensor.dims) <= dim:
            raise ShapeError(f"dim {dim} is out of range for input {place} of shape {tensor.shape}")
        for at in range(dim):
            differ = f"dimension {at} is {leading[at]} in input 0 and {tensor.dims[at]} in input {place}"
            need_equal(tensor.dims[at], leading[at], f"sizes must match before dimension {dim}: {differ}")
        part = (tensor.dims[dim] + num_chunks - 1) // num_chunks
        length = length + numel((part, *tensor.dims[dim + 1 :]))
    return fresh((*leading, num_chunks, length), _one_dtype(given), given[0])
