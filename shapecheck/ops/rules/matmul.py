"""Products of vectors, matrices and stacks of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import (
    DTypeLike,
    Number,
    Tensor,
    axes,
    axis,
    fresh,
    fresh_shape,
    need_equal,
    need_rank,
)
from shapecheck.ops.shared.dtypes import floating, need_same_dtype, promoted
from shapecheck.ops.shared.ranks import (
    anything_ending_in,
    batches,
    joined,
    may_be_empty,
    need_expandable,
    need_float,
    need_square,
    ranked,
)
from shapecheck.spec import (
    CallError,
    Dim,
    DType,
    DTypeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    as_dtype,
    same,
)
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dtype import int64


def product_dtype(a: Tensor, b: Tensor, left: str = "the left operand", right: str = "the right one") -> DType | None:
    """The dtype of a product of matrices; raises DTypeError where the operands have two, or are bool."""
    dtype = a.dtype
    if dtype is not b.dtype:
        dtype = need_same_dtype((left, a), (right, b))
    if dtype is not None and dtype.kind == "bool" and not (may_be_empty(a) or may_be_empty(b)):
        raise DTypeError("matrices of bool have no product: cast them to a number first")
    return dtype


@op("matmul", "linalg.matmul")
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """(..., n, k) and (..., k, m) give (..., n, m), the batch axes broadcast; a vector lacks n or m."""
    a, b = input.shape, other.shape
    dtype = input.dtype
    if dtype is None or dtype is not other.dtype or dtype.kind == "bool":
        dtype = product_dtype(input, other)
    if a.run is None and b.run is None:
        return TensorSpec.make(Shape(_product(a.head, b.head)), dtype, "contiguous", input.device)
    return fresh_shape(_open_product(a, b), dtype, input)


def _product(left: tuple[Size, ...], right: tuple[Size, ...]) -> tuple[Size, ...]:
    if not left or not right:
        raise ShapeError(f"both operands need an axis, here they are {Shape(left)} and {Shape(right)}")
    inner = right[-2] if len(right) > 1 else right[0]
    if left[-1] != inner:
        _need_inner(left[-1], inner, Shape(left), Shape(right))
    outer = left[-2:-1] + right[-1:] if len(right) > 1 else left[-2:-1]
    if len(left) <= 2 and len(right) <= 2:
        return outer
    if left[:-2] == right[:-2]:
        return left[:-2] + outer
    return batches("the operands", Shape(left[:-2]), Shape(right[:-2])).head + outer


def _need_inner(left: Size, right: Size, a: Shape, b: Shape) -> None:
    where = "axis -2" if b.rank != 1 else "the only axis"
    message = (
        f"the last axis of the left operand is {left}, {where} of the right one is {right}: {a} @ {b}; "
        "they must be equal"
    )
    need_equal(left, right, message)


def _open_product(a: Shape, b: Shape) -> Shape:
    """The product where the rank of one side is unknown, as far as what is shown allows."""
    if a.rank == 0 or b.rank == 0:
        raise ShapeError(f"both operands need an axis, here they are {a} and {b}")
    vector = b.rank == 1
    left, right = a.at(-1), b.at(-1 if vector else -2)
    if left is not None and right is not None and (vector or b.least_rank > 1):
        _need_inner(left, right, a, b)
    if vector:
        return a.without(-1)
    if b.least_rank < 2:
        return Shape.anything()
    if a.rank == 1:
        return b.without(-2)
    last = b.size(-1)
    if b.rank == 2:
        return a.with_at(-1, last)
    if a.least_rank < 2:
        return anything_ending_in(last)
    return joined(batches("the operands", _batch(a), _batch(b)), a.size(-2), last)


def _batch(shape: Shape) -> Shape:
    return shape.without(-1).without(-1)


def _matrices(input: Tensor, other: Tensor, rank: int, left: str, right: str) -> tuple[Size, ...]:
    """The shape of a product of two matrices, or two stacks of as many matrices; nothing is broadcast."""
    a, b = ranked(input, rank, left), ranked(other, rank, right)
    if rank == 3 and a[0] != b[0]:
        need_equal(a[0], b[0], f"{left} is a batch of {a[0]}, {right} one of {b[0]}: {Shape(a)} and {Shape(b)}")
    if a[-1] != b[-2]:
        message = (
            f"the last axis of {left} is {a[-1]}, axis -2 of {right} is {b[-2]}: {Shape(a)} @ {Shape(b)}; "
            "they must be equal"
        )
        need_equal(a[-1], b[-2], message)
    return (*a[:-1], b[-1])


def _out_dtype(dtype: DType | None, wanted: DTypeLike) -> DType | None:
    return dtype if wanted is None else as_dtype(wanted)


@op("mm", "_sparse_mm", "smm", "hspmm")
def mm(input: Tensor, mat2: Tensor, out_dtype: DTypeLike = None) -> Tensor:
    """(n, k) and (k, m) give (n, m)."""
    dtype = product_dtype(input, mat2, "the input", "mat2")
    return fresh(_matrices(input, mat2, 2, "the input", "mat2"), _out_dtype(dtype, out_dtype), input)


@op("_int_mm")
def int_mm(input: Tensor, mat2: Tensor) -> Tensor:
    """(n, k) and (k, m) of int8 give (n, m) of int32."""
    product_dtype(input, mat2, "the input", "mat2")
    return fresh(_matrices(input, mat2, 2, "the input", "mat2"), as_dtype("int32"), input)


@op("sparse.mm")
def sparse_mm(mat1: Tensor, mat2: Tensor, reduce: str = "sum") -> Tensor:
    """(n, k) and (k, m) give (n, m); one of them is sparse."""
    dims = _matrices(mat1, mat2, 2, "mat1", "mat2")
    return fresh_shape(Shape(dims), product_dtype(mat1, mat2, "mat1", "mat2"), mat1, "unknown")


@op("bmm")
def bmm(input: Tensor, mat2: Tensor, out_dtype: DTypeLike = None) -> Tensor:
    """(b, n, k) and (b, k, m) give (b, n, m); nothing is broadcast."""
    dtype = product_dtype(input, mat2, "the input", "mat2")
    return fresh(_matrices(input, mat2, 3, "the input", "mat2"), _out_dtype(dtype, out_dtype), input)


@op("mv")
def mv(input: Tensor, vec: Tensor) -> Tensor:
    """(n, k) and (k,) give (n,)."""
    dtype = product_dtype(input, vec, "the input", "vec")
    n, k = ranked(input, 2)
    (length,) = ranked(vec, 1, "vec")
    need_equal(k, length, f"the last axis of the input is {k}, vec has {length}: ({n}, {k}) @ ({length},)")
    return fresh((n,), dtype, input)


def _dot(input: Tensor, other: Tensor, name: str) -> Tensor:
    dtype = product_dtype(input, other, "the input", name)
    (n,), (m,) = ranked(input, 1), ranked(other, 1, name)
    need_equal(n, m, f"the input has {n} elements, {name} has {m}: they must be as many")
    return fresh((), dtype, input)


@op("dot")
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """(n,) and (n,) give a scalar."""
    return _dot(input, tensor, "the other")


@op("vdot")
def vdot(input: Tensor, other: Tensor) -> Tensor:
    """(n,) and (n,) give a scalar."""
    return _dot(input, other, "the other")


@op("inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """(*a, k) and (*b, k) give (*a, *b); a scalar multiplies."""
    if input.rank == 0 or other.rank == 0:
        return fresh_shape(broadcast_shapes(input.shape, other.shape), promoted(input, other), input, "unknown")
    dtype = product_dtype(input, other, "the input", "the other")
    a, b = input.dims, other.dims
    need_equal(
        a[-1], b[-1], f"the last axes are {a[-1]} and {b[-1]}: {input.shape} and {other.shape}; they must be equal"
    )
    return fresh(a[:-1] + b[:-1], dtype, input)


@op("outer", "ger")
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """(n,) and (m,) give (n, m)."""
    return fresh(ranked(input, 1) + ranked(vec2, 1, "vec2"), promoted(input, vec2), input)


def _added(input: Tensor, dims: tuple[Size, ...], dtype: DType | None, like: Tensor) -> Tensor:
    """The result of a product to which `input`, expanded, is added."""
    need_expandable(input.shape, Shape(dims), "the input")
    return fresh(dims, dtype, like)


@op("addmm", "_addmm_activation", "_sparse_addmm", "sspaddmm")
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    out_dtype: DTypeLike = None,
    *,
    beta: Number = 1,
    alpha: Number = 1,
    use_gelu: bool = False,
) -> Tensor:
    """(n, k) and (k, m), plus an input that is expanded, give (n, m)."""
    dims = _matrices(mat1, mat2, 2, "mat1", "mat2")
    dtype = product_dtype(mat1, mat2, "mat1", "mat2")
    if out_dtype is None:
        dtype = need_same_dtype(("the input", input), ("mat1", mat1), ("mat2", mat2))
    return _added(input, dims, _out_dtype(dtype, out_dtype), mat1)


@op("addmv")
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """(n, k) and (k,), plus an input that is expanded, give (n,)."""
    product_dtype(mat, vec, "mat", "vec")
    n, k = ranked(mat, 2, "mat")
    (length,) = ranked(vec, 1, "vec")
    need_equal(k, length, f"the last axis of mat is {k}, vec has {length}: ({n}, {k}) @ ({length},)")
    return _added(input, (n,), need_same_dtype(("the input", input), ("mat", mat), ("vec", vec)), mat)


@op("addr")
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """The outer product of (n,) and (m,), plus an input that is expanded, gives (n, m)."""
    dims = ranked(vec1, 1, "vec1") + ranked(vec2, 1, "vec2")
    return _added(input, dims, promoted(input, vec1, vec2), vec1)


@op("baddbmm")
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, out_dtype: DTypeLike = None, *, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    """(b, n, k) and (b, k, m), plus an input that is expanded, give (b, n, m)."""
    dims = _matrices(batch1, batch2, 3, "batch1", "batch2")
    dtype = product_dtype(batch1, batch2, "batch1", "batch2")
    if out_dtype is None:
        dtype = need_same_dtype(("the input", input), ("batch1", batch1), ("batch2", batch2))
    return _added(input, dims, _out_dtype(dtype, out_dtype), batch1)


@op("addbmm")
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """(b, n, k) and (b, k, m), summed over b, plus an input that is expanded, give (n, m)."""
    dims = _matrices(batch1, batch2, 3, "batch1", "batch2")
    product_dtype(batch1, batch2, "batch1", "batch2")
    dtype = need_same_dtype(("the input", input), ("batch1", batch1), ("batch2", batch2))
    return _added(input, dims[1:], dtype, batch1)


@op("sparse.sampled_addmm", "sparse_sampled_addmm")
def sampled_addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """(..., n, k) and (..., k, m), where the sparse input (..., n, m) has elements, give (..., n, m)."""
    dtype = need_same_dtype(("the input", input), ("mat1", mat1), ("mat2", mat2))
    due = matmul(mat1, mat2).shape
    if due.rank is not None and input.rank is not None:
        message = f"the input is {input.shape}, the product of mat1 and mat2 is {due}; they must be equal"
        for size, other in zip(input.dims[-2:], due.dims[-2:], strict=True):
            need_equal(size, other, message)
    return fresh_shape(input.shape, dtype, input, "unknown")


@op("_scaled_mm")
def scaled_mm(
    input: Tensor,
    mat2: Tensor,
    scale_a: Tensor | None = None,
    scale_b: Tensor | None = None,
    bias: Tensor | None = None,
    scale_result: Tensor | None = None,
    out_dtype: DTypeLike = None,
    use_fast_accum: bool = False,
) -> Tensor:
    """(n, k) and (k, m), scaled, give (n, m) of `out_dtype`, or of the input's dtype."""
    dims = _matrices(input, mat2, 2, "the input", "mat2")
    if bias is not None:
        need_expandable(bias.shape, Shape((dims[1],)), "the bias")
    return fresh(dims, _out_dtype(input.dtype, out_dtype), input)


@op("_scaled_mm_v2")
def scaled_mm_v2(
    input: Tensor,
    mat2: Tensor,
    scale_a: Sequence[Tensor],
    recipe_a: Sequence[int],
    swizzle_a: Sequence[int],
    scale_b: Sequence[Tensor],
    recipe_b: Sequence[int],
    swizzle_b: Sequence[int],
    bias: Tensor | None = None,
    out_dtype: DTypeLike = None,
    contraction_dim: Sequence[int] = (),
    use_fast_accum: bool = False,
) -> Tensor:
    """(n, k) and (k, m), scaled, give (n, m) of `out_dtype`, or of the input's dtype."""
    return scaled_mm(input, mat2, bias=bias, out_dtype=out_dtype)


@op("chain_matmul")
def chain_matmul(*matrices: Tensor) -> Tensor:
    """(a, b), (b, c), ... (y, z) give (a, z)."""
    if not matrices:
        raise CallError("at least one matrix is due")
    for index, matrix in enumerate(matrices):
        ranked(matrix, 2, f"matrix {index}")
    return matrices[0] if len(matrices) == 1 else _chained(matrices)


@op("linalg.multi_dot")
def multi_dot(tensors: Sequence[Tensor]) -> Tensor:
    """(a, b), (b, c), ... (y, z) give (a, z); the first and the last may be vectors."""
    if len(tensors) < 2:
        raise CallError(f"at least 2 tensors are due, here are {len(tensors)}")
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


@op("kron")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """(..., n, m) and (..., p, q) give (..., n*p, m*q); the shorter shape is filled with ones in front."""
    a, b = input.dims, other.dims
    ones = (1,) * abs(len(a) - len(b))
    a, b = (ones + a, b) if len(a) < len(b) else (a, ones + b)
    return fresh((x * y for x, y in zip(a, b, strict=True)), promoted(input, other), input)


@op("tensordot")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """The axes of `a` that are not contracted, then those of `b`."""
    dtype = product_dtype(a, b, "a", "b")
    left, right = _contracted(a.dims, b.dims, dims)
    for i, j in zip(left, right, strict=True):
        x, y = a.dims[i], b.dims[j]
        if x != 1 and y != 1:  # an axis of 1 is summed over before
            message = (
                f"axis {i} of a is {x}, axis {j} of b is {y}: {a.shape} and {b.shape}; contracted axes must be equal"
            )
            need_equal(x, y, message)
    kept = [size for index, size in enumerate(a.dims) if index not in left]
    kept += [size for index, size in enumerate(b.dims) if index not in right]
    return fresh(kept, dtype, a)


def _contracted(a: tuple[Size, ...], b: tuple[Size, ...], dims: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(dims, (TensorSpec, Dim)):
        raise Unanswered("which axes are contracted hangs on a value")
    if isinstance(dims, (tuple, list)):
        if len(dims) != 2 or not all(isinstance(one, (tuple, list)) for one in dims):
            raise CallError(f"dims is a number or two lists of axes, not {dims!r}")
        if len(dims[0]) != len(dims[1]):
            raise ShapeError(f"dims gives {len(dims[0])} axes of a and {len(dims[1])} of b: as many are due")
        return axes(dims[0], len(a), "a"), axes(dims[1], len(b), "b")
    if dims < 0 or dims > min(len(a), len(b)):
        raise ShapeError(f"dims={dims} axes are to be contracted, a has rank {len(a)} and b has rank {len(b)}")
    return tuple(range(len(a) - dims, len(a))), tuple(range(dims))


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


@op("linalg.vecdot")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Two shapes that broadcast; the axis `dim` of the result is summed over."""
    dtype = need_same_dtype(("x", x), ("y", y))
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"x is {dtype}; a floating or complex dtype is due")
    both = broadcast_shapes(x.shape, y.shape)
    if both.rank is None:
        return fresh_shape(both.without(dim), dtype, x, "unknown")
    index = axis(dim, both.rank)
    return fresh_shape(both.without(index) if both.rank else both, dtype, x, "unknown")


@op("matrix_power", "linalg.matrix_power")
def matrix_power(input: Tensor, n: int) -> Tensor:
    """A stack of square matrices (..., n, n) keeps its shape."""
    need_square(input)
    if isinstance(n, int) and n < 0:
        need_float(input)
    return fresh_shape(input.shape, input.dtype, input, "unknown")


@op("trace")
def trace(input: Tensor) -> Tensor:
    """(n, m) gives a scalar; ints are summed as int64."""
    ranked(input, 2)
    dtype = input.dtype
    if dtype is not None and dtype.kind == "bool" and not may_be_empty(input):
        raise DTypeError("the input is bool, which has no trace: cast it to a number first")
    return fresh((), int64 if dtype is not None and dtype.is_integral else dtype, input)


@op("cov")
def cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """n variables with m observations each, (n, m), give (n, n); one variable, (m,), gives a scalar."""
    dims = input.dims
    if len(dims) > 2:
        raise ShapeError(f"expected two or fewer dimensions, the input has {len(dims)}, shape {input.shape}")
    if input.dtype is not None and input.dtype.kind == "bool":
        raise DTypeError("the input is bool; a number is due")
    observations = dims[-1] if dims else 1
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is not None:
            _need_weights(weights, name, observations)
    dtype = floating(input.dtype)
    if aweights is not None:
        dtype = promoted(TensorSpec.make(Shape((2, 2)), dtype), aweights)
    return fresh_shape(_covariances(dims), dtype, input)


def _covariances(dims: tuple[Size, ...]) -> Shape:
    single = len(dims) < 2 or same(dims[0], 1)  # torch squeezes (1, 1) to a scalar
    if single is None:
        return Shape.anything()
    return Shape() if single else Shape((dims[0], dims[0]))


def _need_weights(weights: Tensor, name: str, observations: Size) -> None:
    if len(weights.dims) > 1:
        raise ShapeError(f"expected one or fewer dimensions, {name} has {len(weights.dims)}, shape {weights.shape}")
    whole = weights.dtype is None or weights.dtype.is_integral
    if name == "fweights" and not whole:
        raise DTypeError(f"fweights is {weights.dtype}; an integral dtype is due")
    if name == "aweights" and weights.dtype is not None and not weights.dtype.is_floating:
        raise DTypeError(f"aweights is {weights.dtype}; a floating point dtype is due")
    for size in weights.dims:
        need_equal(size, observations, f"{name} has {size} elements, there are {observations} observations")


@op("corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """n variables with m observations each, (n, m), give (n, n); one variable, (m,), gives a scalar."""
    return cov(input)
