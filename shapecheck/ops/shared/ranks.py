"""Shapes whose rank an operator implies, and shapes of batches of matrices."""

from __future__ import annotations

from shapecheck.ops.shared.arguments import need_equal
from shapecheck.ops.shared.matching import fitted_into
from shapecheck.spec import DTypeError, Shape, ShapeError, Size, TensorSpec, VariadicAxes, same
from shapecheck.spec.broadcast import broadcast_shapes


def ranked(tensor: TensorSpec, rank: int, what: str = "the input") -> tuple[Size, ...]:
    """The sizes of a tensor that must have this rank: where its rank is unknown, it is this one.

    Raises ShapeError where the rank is another.
    """
    shape = tensor.shape
    if shape.run is None:
        if len(shape.head) == rank:
            return shape.head
        raise ShapeError(f"{what} has rank {len(shape.head)}, shape {shape}; rank {rank} is due")
    if shape.least_rank > rank:
        raise ShapeError(f"{what} has at least rank {shape.least_rank}, shape {shape}; rank {rank} is due")
    head, tail = len(shape.head), rank - len(shape.tail)
    return tuple(shape.size(index if index < head or index < tail else index - rank) for index in range(rank))


def joined(batch: Shape, *sizes: Size) -> Shape:
    """Batch axes, whose number may be unknown, and then these axes."""
    if batch.run is None:
        return Shape((*batch.head, *sizes))
    return Shape(batch.head, batch.run, (*batch.tail, *sizes))


def batches(what: str, *shapes: Shape) -> Shape:
    """What batch axes broadcast to; raises ShapeError naming what they belong to where they clash."""
    result = shapes[0]
    for shape in shapes[1:]:
        try:
            result = broadcast_shapes(result, shape)
        except ShapeError as clash:
            raise ShapeError(f"the batch axes of {what}: {clash}") from None
    return result


def need_expandable(given: Shape, into: Shape, what: str) -> None:
    """Raises ShapeError where `given` does not broadcast to `into`, as what is added to a product or masks it must."""
    if given != into:
        fitted_into(given, into, f"{what} is {given}, which cannot be expanded to {into}")


def anything_ending_in(*sizes: Size) -> Shape:
    """A shape of unknown rank with these last axes."""
    return Shape((), VariadicAxes(), sizes)


def may_be_empty(tensor: TensorSpec) -> bool:
    """Whether there may be no element. Torch does not notice that there is no kernel for what is never computed."""
    shape = tensor.shape
    return shape.run is not None or any(same(size, 0) is not False for size in shape.head)


def matrix(tensor: TensorSpec, what: str = "the input") -> tuple[Shape, Size, Size]:
    """The batch axes and the two sizes of a matrix or a stack of them; ShapeError for fewer than two axes."""
    shape = tensor.shape
    if shape.run is not None:
        return shape.without(-1).without(-1), shape.size(-2), shape.size(-1)
    if len(shape.head) < 2:
        raise ShapeError(f"{what} must have at least 2 dimensions, its shape is {shape}")
    return Shape(shape.head[:-2]), shape.head[-2], shape.head[-1]


def need_square(tensor: TensorSpec, what: str = "the input") -> tuple[Shape, Size]:
    """The batch axes and the size of a square matrix or a stack of them; raises ShapeError where it is not square."""
    batch, n, m = matrix(tensor, what)
    if n != m:
        need_equal(
            n,
            m,
            f"{what} must be batches of square matrices, its last two axes are {n} and {m}, its shape {tensor.shape}",
        )
    return batch, n


def need_float(tensor: TensorSpec, what: str = "the input", least: int = 1) -> None:
    """Raises DTypeError where the dtype is neither floating nor complex, or takes fewer bytes than `least`."""
    dtype = tensor.dtype
    if dtype is None or may_be_empty(tensor):
        return
    if not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"{what} is {dtype}; a floating point or complex dtype is due")
    if dtype.itemsize < least:
        raise DTypeError(f"{what} is {dtype}, which is not supported here: cast it to torch.float32")
