"""Norms of vectors and matrices, and distances."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, DTypeLike, Tensor, axes, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.elementwise import INTEGRAL, accept
from shapecheck.ops.shared.reducing import every, need_elements, need_some, result, tensor
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Unanswered
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dtype import as_dtype
from shapecheck.spec.presentation import value_text

_MATRIX_ORDERS = ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf"))


def norm_dtype(input: Tensor, dtype: DTypeLike) -> DType | None:
    """The real dtype of a norm computed in `dtype`; DTypeError for ints and a dtype narrower than the input."""
    own = input.dtype
    if own is not None and own.kind not in ("float", "complex"):
        raise DTypeError(f"expected a floating-point or complex dtype, got {own}; call .float()")
    if dtype is None:
        return own and own.to_real()
    given = as_dtype(dtype)
    if given.kind not in ("float", "complex"):
        raise DTypeError(f"expected dtype to be floating-point or complex, got {given}")
    if own is not None:
        if own.is_complex is not given.is_complex:
            expected = "complex" if own.is_complex else "real"
            raise DTypeError(f"expected dtype to be {expected} for an input of dtype {own}, got {given}")
        if own.itemsize > given.itemsize:
            raise DTypeError(f"expected dtype to be at least as wide as {own}, the dtype of the input, got {given}")
    return given.to_real()


@op("linalg.vector_norm", traits=Trait.REDUCES)
def vector_norm(
    input: Tensor, ord: object = 2, dim: Axes = None, keepdim: bool = False, *, dtype: DTypeLike = None
) -> Tensor:
    """(..., d) over dim -1 gives (...); None and () mean all dimensions."""
    if isinstance(ord, str):
        raise CallError(f"expected ord to be a number, got {value_text(ord)}; only matrix norms have names")
    found = norm_dtype(tensor(input), dtype)
    out = result(input, dim, keepdim, found)
    if isinstance(ord, (int, float)) and (ord < 0 or ord == float("inf")):
        if every(dim):
            need_some(input.shape, f"{ord} norm")
        else:
            need_elements(input.shape, dim, f"{ord} norm")
    return out


@op("linalg.matrix_norm")
def matrix_norm(
    input: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: DTypeLike = None
) -> Tensor:
    """(..., n, m) gives (...)."""
    if ord not in _MATRIX_ORDERS:
        raise CallError(f'expected ord to be "fro", "nuc", inf, -inf, 1, -1, 2 or -2, got {value_text(ord)}')
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise CallError(f"expected dim to be a tuple of 2 ints, got {value_text(dim)}")
    if tensor(input).rank is not None and (input.rank or 0) < 2:
        raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
    if input.rank is not None:
        first, second = (axes((one,), input.rank)[0] for one in dim)
        if first == second:
            raise ShapeError(f"expected two different dimensions, got dim={value_text(tuple(dim))}")
    return result(input, dim, keepdim, norm_dtype(input, dtype))


@op("linalg.norm")
def linalg_norm(
    input: Tensor, ord: Any = None, dim: Axes = None, keepdim: bool = False, *, dtype: DTypeLike = None
) -> Tensor:
    """The norm of vectors or matrices: over all dimensions, one or two; with `ord` and no dim the rank decides."""
    if dim is not None and isinstance(dim, (tuple, list)) and len(dim) not in (1, 2):
        raise CallError(f"expected dim to have 1 or 2 elements, got {value_text(dim)}")
    if ord is None:
        return vector_norm(input, 2, dim, keepdim, dtype=dtype)
    if dim is None:
        if tensor(input).rank is None:
            return result(input, None, keepdim, norm_dtype(input, dtype))
        if input.rank not in (1, 2):
            raise ShapeError(f"expected a 1-D or 2-D input for ord without dim, got shape {input.shape}")
        dim = tuple(range(input.rank or 0))
    count = len(dim) if isinstance(dim, (tuple, list)) else 1
    if count == 2 or isinstance(ord, str):
        return matrix_norm(input, ord, dim, keepdim, dtype=dtype)
    return vector_norm(input, ord, dim, keepdim, dtype=dtype)


@op("norm", traits=Trait.TENSOR_FIRST | Trait.REDUCES)
def norm(
    input: Tensor,
    p: object = "fro",
    dim: Axes = None,
    keepdim: bool = False,
    out: object = None,
    dtype: DTypeLike = None,
) -> Tensor:
    """Over all or some dimensions: (b, t, d) over dim -1 gives (b, t). Only p="nuc" is a matrix norm."""
    if p == "fro" and not (isinstance(dim, (tuple, list)) and len(dim) > 2):
        p = 2
    if not isinstance(p, str):
        return vector_norm(input, 2 if p is None else p, dim, keepdim, dtype=dtype)
    if p not in _MATRIX_ORDERS:
        raise CallError(f'expected p to be a number, "fro" or "nuc", got {value_text(p)}')
    if dim is None:
        dim = tuple(range(len(tensor(input).dims)))
    return matrix_norm(input, p, dim, keepdim, dtype=dtype)


@op("dist", traits=Trait.PAIRS)
def dist(input: Tensor, other: Tensor, p: object = 2) -> Tensor:
    """The norm of the difference of two tensors that broadcast: a number."""
    if isinstance(input, (tuple, list)):
        raise Unanswered("math.dist of two points")
    broadcast_shapes(tensor(input).shape, tensor(other).shape)
    dtype = accept(promoted(input, other), INTEGRAL)
    return fresh((), dtype and dtype.to_real(), input)


@op("cdist")
def cdist(x1: Tensor, x2: Tensor, p: object = 2.0, compute_mode: Any = None) -> Tensor:
    """(..., n, d) and (..., m, d) give (..., n, m): the distances between rows; batch dimensions broadcast."""
    dtype = _points_dtype(x1, x2)
    if isinstance(p, (int, float)) and p < 0:
        raise CallError(f"expected p to be non-negative, got {p}")
    if compute_mode not in (None, 0, 1, 2, *_MODES):
        raise CallError(f"expected compute_mode to be one of {', '.join(_MODES)}, got {value_text(compute_mode)}")
    for name, x in (("x1", x1), ("x2", x2)):
        if x.rank is not None and x.rank < 2:
            raise ShapeError(f"expected {name} to have at least 2 dimensions, got shape {x.shape}")
    left, right = x1.shape.at(-1), x2.shape.at(-1)
    if left is not None and right is not None:
        need_equal(
            left,
            right,
            f"expected x1 and x2 to have the same last size, got shapes {x1.shape} and {x2.shape}: {left} != {right}",
        )
    rows, columns = x1.shape.size(-2), x2.shape.size(-2)
    batch = broadcast_shapes(_batch(x1.shape), _batch(x2.shape))
    return fresh_shape(batch.inserted(-1, rows).inserted(-1, columns), dtype, x1)


_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")


def _points_dtype(x1: Tensor, x2: Tensor) -> DType | None:
    for name, x in (("x1", x1), ("x2", x2)):
        if tensor(x).dtype is not None and not x.dtype.is_floating:  # type: ignore[union-attr]  # it is known
            raise DTypeError(f"expected {name} to have a floating-point dtype, got {x.dtype}")
    if x1.dtype is not None and x2.dtype not in (x1.dtype, None) and not {0} & {*x1.shape.head, *x2.shape.head}:
        raise DTypeError(f"expected x1 and x2 to have the same dtype, got {x1.dtype} and {x2.dtype}")
    return promoted(x1, x2)


def _batch(shape: Shape) -> Shape:
    return shape.without(-2).without(-1)
