"""Products over chosen dimensions, and products of more than two tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.rules.matmul import matmul, product_dtype
from shapecheck.ops.shared.arguments import Tensor, axes, axis, fresh, fresh_shape, need_equal, need_rank
from shapecheck.ops.shared.dtypes import need_same_dtype, promoted
from shapecheck.ops.shared.ranks import ranked
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Dim, DTypeError, Shape, ShapeError, Size, TensorSpec, Unanswered
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.presentation import value_text


@op("inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """(*a, k) and (*b, k) give (*a, *b); a scalar multiplies."""
    if input.rank == 0 or other.rank == 0:
        return fresh_shape(broadcast_shapes(input.shape, other.shape), promoted(input, other), input, "unknown")
    dtype = product_dtype(input, other, "input", "other")
    a, b = input.dims, other.dims
    message = f"cannot multiply {input.shape} and {other.shape}: {a[-1]} != {b[-1]} in the last dimension"
    need_equal(a[-1], b[-1], message)
    return fresh(a[:-1] + b[:-1], dtype, input)


@op("outer", "ger", traits=Trait.FOR_BROADCASTING)
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """(n,) and (m,) give (n, m)."""
    return fresh(ranked(input, 1) + ranked(vec2, 1, "vec2"), promoted(input, vec2), input)


@op("kron")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """(..., n, m) and (..., p, q) give (..., n*p, m*q); the shorter shape is padded with ones on the left."""
    a, b = input.dims, other.dims
    ones = (1,) * abs(len(a) - len(b))
    a, b = (ones + a, b) if len(a) < len(b) else (a, ones + b)
    return fresh((x * y for x, y in zip(a, b, strict=True)), promoted(input, other), input)


@op("tensordot")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """The dimensions of `a` that are not contracted, then those of `b`."""
    dtype = product_dtype(a, b, "a", "b")
    left, right = _contracted(a.dims, b.dims, dims)
    for i, j in zip(left, right, strict=True):
        x, y = a.dims[i], b.dims[j]
        if x != 1 and y != 1:  # torch first sums over a dimension of size 1
            places = f"dimension {i} of {a.shape} with dimension {j} of {b.shape}"
            need_equal(x, y, f"cannot contract {places}: {x} != {y}")
    kept = [size for index, size in enumerate(a.dims) if index not in left]
    kept += [size for index, size in enumerate(b.dims) if index not in right]
    return fresh(kept, dtype, a)


def _contracted(a: tuple[Size, ...], b: tuple[Size, ...], dims: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(dims, (TensorSpec, Dim)):
        raise Unanswered("data-dependent dims")
    if isinstance(dims, (tuple, list)):
        if len(dims) != 2 or not all(isinstance(one, (tuple, list)) for one in dims):
            raise CallError(f"expected dims to be an integer or two lists of dimensions, got {value_text(dims)}")
        if len(dims[0]) != len(dims[1]):
            raise ShapeError(
                f"expected the two lists of dims to have the same length, got {len(dims[0])} and {len(dims[1])}"
            )
        return axes(dims[0], len(a), "a"), axes(dims[1], len(b), "b")
    if dims < 0 or dims > min(len(a), len(b)):
        most = min(len(a), len(b))
        raise ShapeError(
            f"expected dims to be between 0 and {most}, got {value_text(dims)} (shapes {Shape(a)} and {Shape(b)})"
        )
    return tuple(range(len(a) - dims, len(a))), tuple(range(dims))


@op("linalg.vecdot")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """The two shapes broadcast; the dimension `dim` of the result is summed over."""
    dtype = need_same_dtype(("x", x), ("y", y))
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"expected a floating-point or complex dtype, got {dtype}")
    both = broadcast_shapes(x.shape, y.shape)
    if both.rank is None:
        return fresh_shape(both.without(dim), dtype, x, "unknown")
    index = axis(dim, both.rank)
    return fresh_shape(both.without(index) if both.rank else both, dtype, x, "unknown")


@op("chain_matmul", traits=Trait.AUTOCAST)
def chain_matmul(*matrices: Tensor) -> Tensor:
    """(a, b), (b, c), ... (y, z) give (a, z)."""
    if not matrices:
        raise CallError("expected at least one matrix, got none")
    for index, matrix in enumerate(matrices):
        ranked(matrix, 2, f"matrix {index}")
    return matrices[0] if len(matrices) == 1 else _chained(matrices)


@op("linalg.multi_dot", traits=Trait.AUTOCAST)
def multi_dot(tensors: Sequence[Tensor]) -> Tensor:
    """(a, b), (b, c), ... (y, z) give (a, z); the first and the last may be vectors."""
    if len(tensors) < 2:
        raise CallError(f"expected at least 2 tensors, got {len(tensors)}")
    need_rank(tensors[0], (1, 2), "the first tensor")
    need_rank(tensors[-1], (1, 2), "the last tensor")
    for index, tensor in enumerate(tensors[1:-1], 1):
        ranked(tensor, 2, f"tensor {index}")
    return _chained(tensors)


def _chained(tensors: Sequence[Tensor]) -> Tensor:
    result = tensors[0]
    for tensor in tensors[1:]:
        result = matmul(result, tensor)
    return result
