"""The cross product of vectors."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.matmul import product_dtype
from shapecheck.ops.shared.arguments import Tensor, axis, fresh_shape, need_equal
from shapecheck.spec import ShapeError, Unanswered, same
from shapecheck.spec.broadcast import broadcast_shapes


@op("cross")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Two broadcastable shapes with 3 at `dim` (by default the first that has 3) give what they broadcast to."""
    if dim is None:
        _need_same_rank(input, other)
        dim = _first_of_three(input)
    return linalg_cross(input, other, dim=dim)


def _first_of_three(input: Tensor) -> int:
    for index, size in enumerate(input.dims):
        known = same(size, 3)
        if known is None:
            raise Unanswered(f"whether axis {index}, {size}, is 3 is not known")
        if known:
            return index
    raise ShapeError(f"the input is {input.shape}, it has no axis of size 3")


def _need_same_rank(input: Tensor, other: Tensor) -> None:
    if input.rank is not None and other.rank is not None and input.rank != other.rank:
        message = f"the number of axes differs: {input.shape} and {other.shape}; both must have the same rank"
        raise ShapeError(message)


@op("linalg.cross")
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Two broadcastable shapes with 3 at `dim` give the shape they broadcast to."""
    _need_same_rank(input, other)
    dtype = product_dtype(input, other, "the input", "the other")
    for name, tensor in (("the input", input), ("the other", other)):
        if tensor.rank is not None:
            size = tensor.dims[axis(dim, tensor.rank, name)] if tensor.rank else 1
            need_equal(size, 3, f"axis {dim} of {name} is {size}, it must be 3: the shape is {tensor.shape}")
    result = broadcast_shapes(input.shape, other.shape)
    return fresh_shape(result, dtype, input, "unknown")
