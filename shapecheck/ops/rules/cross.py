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
            raise Unanswered("unknown dimension of size 3")
        if known:
            return index
    raise ShapeError(f"expected a dimension of size 3, got shape {input.shape}")


def _need_same_rank(input: Tensor, other: Tensor) -> None:
    if input.rank is not None and other.rank is not None and input.rank != other.rank:
        shapes = f"got shapes {input.shape} and {other.shape}"
        raise ShapeError(f"expected input and other to have the same number of dimensions, {shapes}")


@op("linalg.cross")
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Two broadcastable shapes with 3 at `dim` give the shape they broadcast to."""
    _need_same_rank(input, other)
    dtype = product_dtype(input, other, "input", "other")
    for name, tensor in (("the input", input), ("other", other)):
        if tensor.rank is not None:
            size = tensor.dims[axis(dim, tensor.rank, name)] if tensor.rank else 1
            need_equal(size, 3, f"expected dimension {dim} of {name} to be 3, got {size} (shape {tensor.shape})")
    result = broadcast_shapes(input.shape, other.shape)
    return fresh_shape(result, dtype, input, "unknown")
