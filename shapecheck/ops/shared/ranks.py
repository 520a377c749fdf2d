"""Shapes whose rank an operator implies, and shapes of batches of matrices."""

from __future__ import annotations

from shapecheck.ops.assumptions import has_shape
from shapecheck.ops.shared.arguments import need_equal
from shapecheck.ops.shared.matching import fitted_into
from shapecheck.ops.shared.wording import wrong_rank
from shapecheck.spec import DTypeError, Shape, ShapeError, Size, TensorSpec, VariadicAxes, same
from shapecheck.spec.broadcast import broadcast_shapes


def ranked(tensor: TensorSpec, rank: int, what: str = "the input") -> tuple[Size, ...]:
    """The sizes of a tensor that must have this rank; an unknown rank is assumed to be this one.

    Raises ShapeError for another rank.
    """
    shape = tensor.shape
    if shape.run is None:
        if len(shape.head) == rank:
            return shape.head
        raise ShapeError(wrong_rank(what, (rank,), shape))
    if shape.least_rank > rank:
        raise ShapeError(wrong_rank(what, (rank,), shape))
    head, tail = len(shape.head), rank - len(shape.tail)
    dims = tuple(shape.size(index if index < head or index < tail else index - rank) for index in range(rank))
    has_shape(shape, Shape(dims))
    return dims


def are_ranked(left: TensorSpec, right: TensorSpec) -> bool:
    """Whether both ranks are known; a tensor of unknown rank is assumed to have that of the other one, from 2 on."""
    for one, other in ((left, right), (right, left)):
        if one.rank is None and other.rank is not None and max(2, one.shape.least_rank) <= other.rank:
            ranked(one, other.rank)
    return left.rank is not None and right.rank is not None


def joined(batch: Shape, *sizes: Size) -> Shape:
    """Batch dimensions, whose number may be unknown, followed by these sizes."""
    if batch.run is None:
        return Shape((*batch.head, *sizes))
    return Shape(batch.head, batch.run, (*batch.tail, *sizes))


def batches(what: str, *shapes: Shape) -> Shape:
    """What batch dimensions broadcast to; raises ShapeError, which names their tensors, if they do not broadcast."""
    result = shapes[0]
    for shape in shapes[1:]:
        try:
            result = broadcast_shapes(result, shape)
        except ShapeError as clash:
            raise ShapeError(f"batch dimensions of {what}: {clash}") from None
    return result


def need_expandable(given: Shape, into: Shape, what: str) -> None:
    """Raises ShapeError if `given`, a bias or a mask, cannot be expanded to `into`."""
    if given != into:
        fitted_into(given, into, f"cannot expand {what} of shape {given} to {into}")


def anything_ending_in(*sizes: Size) -> Shape:
    """A shape of unknown rank with these last sizes."""
    return Shape((), VariadicAxes(), sizes)


def may_be_empty(tensor: TensorSpec) -> bool:
    """Whether there may be no element. torch reports a missing kernel only if there is something to compute."""
    shape = tensor.shape
    return shape.run is not None or any(same(size, 0) is not False for size in shape.head)


def matrix(tensor: TensorSpec, what: str = "the input") -> tuple[Shape, Size, Size]:
    """The batch dimensions and the two sizes of a matrix or a stack of them; ShapeError for fewer than 2 dimensions."""
    shape = tensor.shape
    if shape.run is not None:
        return shape.without(-1).without(-1), shape.size(-2), shape.size(-1)
    if len(shape.head) < 2:
        raise ShapeError(f"expected {what} to have at least 2 dimensions, got shape {shape}")
    return Shape(shape.head[:-2]), shape.head[-2], shape.head[-1]


def need_square(tensor: TensorSpec, what: str = "the input") -> tuple[Shape, Size]:
    """The batch dimensions and the size of a square matrix or a stack of them; raises ShapeError for other matrices."""
    batch, n, m = matrix(tensor, what)
    if n != m:
        need_equal(n, m, f"expected {what} to be square, got shape {tensor.shape}: {n} != {m}")
    return batch, n


def need_float(tensor: TensorSpec, what: str = "the input", least: int = 1) -> None:
    """Raises DTypeError if the dtype is neither floating-point nor complex, or has fewer bytes than `least`."""
    dtype = tensor.dtype
    if dtype is None or may_be_empty(tensor):
        return
    if not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"expected {what} to have a floating-point or complex dtype, got {dtype}")
    if dtype.itemsize < least:
        raise DTypeError(f"{what.removeprefix('the ')} of dtype {dtype} is not supported; cast it to torch.float32")
