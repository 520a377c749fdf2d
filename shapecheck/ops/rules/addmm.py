"""Matrix products plus an input, which is broadcast."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.matmul import matmul, matrix_product, out_dtype_or, product_dtype
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype, promoted
from shapecheck.ops.shared.ranks import need_expandable, ranked
from shapecheck.ops.traits import Trait
from shapecheck.spec import DType, Shape, Size


def _added(input: Tensor, dims: tuple[Size, ...], dtype: DType | None, like: Tensor) -> Tensor:
    """The result of adding `input`, which is broadcast, to a product."""
    need_expandable(input.shape, Shape(dims), "the input")
    return fresh(dims, dtype, like)


@op("addmm", "_addmm_activation", "_sparse_addmm", "sspaddmm", traits=Trait.AUTOCAST)
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    out_dtype: DTypeLike = None,
    *,
    beta: object = 1,
    alpha: object = 1,
    use_gelu: object = False,
) -> Tensor:
    """(n, k) and (k, m), plus an input that is broadcast, give (n, m)."""
    dims = matrix_product(mat1, mat2, 2, "mat1", "mat2")
    dtype = product_dtype(mat1, mat2, "mat1", "mat2")
    if out_dtype is None:
        dtype = need_same_dtype(("input", input), ("mat1", mat1), ("mat2", mat2))
    return _added(input, dims, out_dtype_or(dtype, out_dtype), mat1)


@op("addmv", traits=Trait.AUTOCAST)
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: object = 1, alpha: object = 1) -> Tensor:
    """(n, k) and (k,), plus an input that is broadcast, give (n,)."""
    product_dtype(mat, vec, "mat", "vec")
    n, k = ranked(mat, 2, "mat")
    (length,) = ranked(vec, 1, "vec")
    need_equal(k, length, f"the last axis of mat is {k}, vec has {length}: ({n}, {k}) @ ({length},)")
    return _added(input, (n,), need_same_dtype(("input", input), ("mat", mat), ("vec", vec)), mat)


@op("addr", traits=Trait.AUTOCAST)
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: object = 1, alpha: object = 1) -> Tensor:
    """The outer product of (n,) and (m,), plus an input that is broadcast, gives (n, m)."""
    dims = ranked(vec1, 1, "vec1") + ranked(vec2, 1, "vec2")
    return _added(input, dims, promoted(input, vec1, vec2), vec1)


@op("baddbmm", traits=Trait.AUTOCAST)
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, out_dtype: DTypeLike = None, *, beta: object = 1, alpha: object = 1
) -> Tensor:
    """(b, n, k) and (b, k, m), plus an input that is broadcast, give (b, n, m)."""
    dims = matrix_product(batch1, batch2, 3, "batch1", "batch2")
    dtype = product_dtype(batch1, batch2, "batch1", "batch2")
    if out_dtype is None:
        dtype = need_same_dtype(("input", input), ("batch1", batch1), ("batch2", batch2))
    return _added(input, dims, out_dtype_or(dtype, out_dtype), batch1)


@op("addbmm", traits=Trait.AUTOCAST)
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: object = 1, alpha: object = 1) -> Tensor:
    """(b, n, k) and (b, k, m), summed over b, plus an input that is broadcast, give (n, m)."""
    dims = matrix_product(batch1, batch2, 3, "batch1", "batch2")
    product_dtype(batch1, batch2, "batch1", "batch2")
    dtype = need_same_dtype(("input", input), ("batch1", batch1), ("batch2", batch2))
    return _added(input, dims[1:], dtype, batch1)


@op("sparse.sampled_addmm", "sparse_sampled_addmm")
def sampled_addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: object = 1, alpha: object = 1) -> Tensor:
    """(..., n, k) and (..., k, m), where the sparse input (..., n, m) has elements, give (..., n, m)."""
    dtype = need_same_dtype(("input", input), ("mat1", mat1), ("mat2", mat2))
    expected = matmul(mat1, mat2).shape
    if expected.rank is not None and input.rank is not None:
        message = f"expected an input of shape {expected} (mat1 @ mat2), got {input.shape}"
        for size, other in zip(input.dims[-2:], expected.dims[-2:], strict=True):
            need_equal(size, other, message)
    return fresh_shape(input.shape, dtype, input, "unknown")
