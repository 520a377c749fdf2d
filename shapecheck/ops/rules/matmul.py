"""Products of vectors, matrices and stacks of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.ranks import anything_ending_in, batches, joined, may_be_empty, need_expandable, ranked
from shapecheck.ops.traits import Trait
from shapecheck.spec import DType, DTypeError, Layout, Shape, ShapeError, Size, TensorSpec, as_dtype


def product_dtype(a: Tensor, b: Tensor, left: str = "left operand", right: str = "right operand") -> DType | None:
    """The dtype of a product of matrices; raises DTypeError if the operands differ in dtype or are bool."""
    dtype = a.dtype
    if dtype is not b.dtype:
        dtype = need_same_dtype((left, a), (right, b))
    if dtype is not None and dtype.kind == "bool" and not (may_be_empty(a) or may_be_empty(b)):
        raise DTypeError("cannot multiply matrices of dtype torch.bool; cast them to a numeric dtype")
    return dtype


@op(
    "matmul",
    "linalg.matmul",
    "__matmul__",
    traits=Trait.AUTOCAST | Trait.ONE_DEVICE | Trait.BATCH_FIRST | Trait.TENSOR_FIRST,
)
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """(..., n, k) and (..., k, m) give (..., n, m), the batch dimensions broadcast; a vector lacks n or m."""
    a, b = input.shape, other.shape
    dtype = input.dtype
    if dtype is None or dtype is not other.dtype or dtype.kind == "bool":
        dtype = product_dtype(input, other)
    if a.run is None and b.run is None:
        return TensorSpec.make(Shape(_product(a.head, b.head)), dtype, _product_layout(other), input.device)
    return fresh_shape(_open_product(a, b), dtype, input, _product_layout(other))


def _product_layout(other: Tensor) -> Layout:
    """The layout of a product with `other` on the right: with a sparse matrix there, the columns are contiguous."""
    return "unknown" if other.layout == "unknown" and other.rank in (2, None) else "contiguous"


def _product(left: tuple[Size, ...], right: tuple[Size, ...]) -> tuple[Size, ...]:
    if not left or not right:
        raise ShapeError(f"expected operands of at least 1 dimension, got shapes {Shape(left)} and {Shape(right)}")
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
    need_equal(left, right, f"cannot multiply {a} @ {b}: {left} != {right}")


def _open_product(a: Shape, b: Shape) -> Shape:
    """The product if the rank of one operand is unknown, as far as the known sizes determine it."""
    if a.rank == 0 or b.rank == 0:
        raise ShapeError(f"expected operands of at least 1 dimension, got shapes {a} and {b}")
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


def matrix_product(input: Tensor, other: Tensor, rank: int, left: str, right: str) -> tuple[Size, ...]:
    """The shape of a product of two matrices, or two stacks of the same number of them, without broadcasting."""
    a, b = ranked(input, rank, left), ranked(other, rank, right)
    if rank == 3 and a[0] != b[0]:
        message = f"expected {left} and {right} to have the same batch size, got shapes {Shape(a)} and {Shape(b)}"
        need_equal(a[0], b[0], message)
    if a[-1] != b[-2]:
        need_equal(a[-1], b[-2], f"cannot multiply {Shape(a)} @ {Shape(b)}: {a[-1]} != {b[-2]}")
    return (*a[:-1], b[-1])


def out_dtype_or(dtype: DType | None, wanted: DTypeLike) -> DType | None:
    """The requested dtype, otherwise that of the product."""
    return dtype if wanted is None else as_dtype(wanted)


@op("mm", "_sparse_mm", "smm", "hspmm", traits=Trait.AUTOCAST | Trait.ONE_DEVICE | Trait.BATCH_FIRST)
def mm(input: Tensor, mat2: Tensor, out_dtype: DTypeLike = None) -> Tensor:
    """(n, k) and (k, m) give (n, m)."""
    dtype = product_dtype(input, mat2, "input", "mat2")
    dims = matrix_product(input, mat2, 2, "the input", "mat2")
    return fresh_shape(Shape(dims), out_dtype_or(dtype, out_dtype), input, _product_layout(mat2))


@op("_int_mm")
def int_mm(input: Tensor, mat2: Tensor) -> Tensor:
    """(n, k) and (k, m) of int8 give (n, m) of int32; on some processors, the first may be of uint8."""
    if input.dtype is not as_dtype("uint8"):
        product_dtype(input, mat2, "input", "mat2")
    return fresh(matrix_product(input, mat2, 2, "the input", "mat2"), as_dtype("int32"), input)


@op("sparse.mm")
def sparse_mm(mat1: Tensor, mat2: Tensor, reduce: object = "sum") -> Tensor:
    """(n, k) and (k, m) give (n, m); one of them is sparse."""
    dims = matrix_product(mat1, mat2, 2, "mat1", "mat2")
    return fresh_shape(Shape(dims), product_dtype(mat1, mat2, "mat1", "mat2"), mat1, "unknown")


@op("bmm", traits=Trait.AUTOCAST | Trait.ONE_DEVICE | Trait.BATCH_FIRST | Trait.TENSOR_FIRST)
def bmm(input: Tensor, mat2: Tensor, out_dtype: DTypeLike = None) -> Tensor:
    """(b, n, k) and (b, k, m) give (b, n, m); nothing is broadcast."""
    dtype = product_dtype(input, mat2, "input", "mat2")
    return fresh(matrix_product(input, mat2, 3, "the input", "mat2"), out_dtype_or(dtype, out_dtype), input)


@op("mv", traits=Trait.AUTOCAST)
def mv(input: Tensor, vec: Tensor) -> Tensor:
    """(n, k) and (k,) give (n,)."""
    dtype = product_dtype(input, vec, "input", "vec")
    n, k = ranked(input, 2)
    (length,) = ranked(vec, 1, "vec")
    need_equal(k, length, f"cannot multiply ({n}, {k}) @ ({length},): {k} != {length}")
    return fresh((n,), dtype, input)


def _dot(input: Tensor, other: Tensor, name: str) -> Tensor:
    dtype = product_dtype(input, other, "input", name)
    (n,), (m,) = ranked(input, 1), ranked(other, 1, name)
    need_equal(n, m, f"expected input and {name} to have the same size, got shapes ({n},) and ({m},)")
    return fresh((), dtype, input)


@op("dot")
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """(n,) and (n,) give a scalar."""
    return _dot(input, tensor, "tensor")


@op("vdot")
def vdot(input: Tensor, other: Tensor) -> Tensor:
    """(n,) and (n,) give a scalar."""
    return _dot(input, other, "other")


@op("_scaled_mm")
def scaled_mm(
    input: Tensor,
    mat2: Tensor,
    scale_a: Tensor | None = None,
    scale_b: Tensor | None = None,
    bias: Tensor | None = None,
    scale_result: Tensor | None = None,
    out_dtype: DTypeLike = None,
    use_fast_accum: object = False,
) -> Tensor:
    """(n, k) and (k, m), scaled, give (n, m) of `out_dtype`, or of the input's dtype."""
    dims = matrix_product(input, mat2, 2, "the input", "mat2")
    if bias is not None:
        need_expandable(bias.shape, Shape((dims[1],)), "the bias")
    return fresh(dims, out_dtype_or(input.dtype, out_dtype), input)


@op("_scaled_mm_v2")
def scaled_mm_v2(
    input: Tensor,
    mat2: Tensor,
    scale_a: Sequence[Tensor],
    recipe_a: object,
    swizzle_a: object,
    scale_b: Sequence[Tensor],
    recipe_b: object,
    swizzle_b: object,
    bias: Tensor | None = None,
    out_dtype: DTypeLike = None,
    contraction_dim: object = (),
    use_fast_accum: object = False,
) -> Tensor:
    """(n, k) and (k, m), scaled, give (n, m) of `out_dtype`, or of the input's dtype."""
    return scaled_mm(input, mat2, bias=bias, out_dtype=out_dtype)
