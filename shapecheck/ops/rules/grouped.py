"""Products of matrices in groups, as mixtures of experts use them."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.shared.factories import dtype_given
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, TensorSpec


@op("nn.functional.grouped_mm", "grouped_mm", "_grouped_mm", "torch._grouped_mm")
def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: object = None,
) -> Tensor:
    """Each group's (m, k) @ (k, n), the groups given as a batch or as the ends `offs` of their rows or columns.

    (g, m, k) and (g, k, n) give (g, m, n), as do (m, k) and (k, n), the groups being along k; (m, k) and (g, k, n) give
    (m, n), as do (g, m, k) and (k, n).
    """
    a, b = mat_a.dims, mat_b.dims
    for what, dims in (("mat_a", a), ("mat_b", b)):
        if len(dims) not in (2, 3):
            raise ShapeError(f"expected {what} to be 2-D or 3-D, got shape {Shape(dims)}")
    need_equal(a[-1], b[-2], f"cannot multiply {mat_a.shape} @ {mat_b.shape}: {a[-1]} != {b[-2]}")
    grouped = len(a) == 2 or len(b) == 2
    if grouped == (offs is None):
        if grouped:
            raise CallError("missing offs, which is required if mat_a or mat_b is 2-D")
        raise CallError("expected offs to be None if mat_a and mat_b are 3-D")
    return TensorSpec.make(Shape(_sizes(a, b, offs)), _dtype(mat_a, mat_b, out_dtype), "unknown", mat_a.device)


def _sizes(a: tuple[Size, ...], b: tuple[Size, ...], offs: Tensor | None) -> tuple[Size, ...]:
    if len(a) == 3 and len(b) == 3:
        need_equal(a[0], b[0], f"expected mat_a and mat_b to have the same number of groups, got {a[0]} and {b[0]}")
        return (a[0], a[1], b[2])
    if len(a) == 2 and len(b) == 2:
        return (offs.shape.size(0) if offs is not None else 0, a[0], b[1])
    return (a[-2], b[-1])


def _dtype(mat_a: Tensor, mat_b: Tensor, out_dtype: object) -> DType | None:
    if mat_a.dtype is not None and mat_b.dtype is not None and mat_a.dtype is not mat_b.dtype:
        raise DTypeError(f"expected mat_a and mat_b to have the same dtype, got {mat_a.dtype} and {mat_b.dtype}")
    return dtype_given(out_dtype, mat_a.dtype if mat_b.dtype is None else mat_b.dtype)
