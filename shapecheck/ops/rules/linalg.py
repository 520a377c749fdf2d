"""Functions of matrices: traces, powers, determinants, inverses, ranks and conditions."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Number, Tensor, axes, fresh, fresh_shape
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.named import NamedResult
from shapecheck.ops.shared.ranks import batches, joined, matrix, may_be_empty, need_float, need_square, ranked
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, TensorSpec, at_least, same
from shapecheck.spec.dtype import int32, int64
from shapecheck.spec.presentation import value_text

LAPACK = 4
"""Bytes of the smallest float that decompositions support: float32."""


def square(A: Tensor, what: str = "the input") -> tuple[Shape, Size]:
    """The batch dimensions and the size of floating-point square matrices; otherwise ShapeError or DTypeError."""
    batch, n = need_square(A, what)
    need_float(A, what, LAPACK)
    return batch, n


def real(dtype: DType | None) -> DType | None:
    """The dtype of norms and singular values."""
    return None if dtype is None else dtype.to_real()


def info(batch: Shape, like: Tensor) -> Tensor:
    """The error code of LAPACK for each matrix."""
    return fresh_shape(batch, int32, like)


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
        raise DTypeError("cannot compute the trace of torch.bool; cast it to a numeric dtype")
    return fresh((), int64 if dtype is not None and dtype.is_integral else dtype, input)


@op("linalg.det")
def linalg_det(A: Tensor) -> Tensor:
    """(..., n, n) gives (...)."""
    batch, _ = square(A)
    return fresh_shape(batch, A.dtype, A)


@op("det", "logdet")
def det(input: Tensor) -> Tensor:
    """(..., n, n) gives (...)."""
    return linalg_det(input)


@op("slogdet")
def slogdet(input: Tensor) -> NamedResult:
    """`torch.linalg.slogdet`."""
    return linalg_slogdet(input)


@op("linalg.slogdet")
def linalg_slogdet(A: Tensor) -> NamedResult:
    """(..., n, n) gives the signs (...) and the logarithms (...), which are real."""
    batch, _ = square(A)
    return NamedResult(sign=fresh_shape(batch, A.dtype, A), logabsdet=fresh_shape(batch, real(A.dtype), A))


@op("inverse")
def inverse(input: Tensor) -> Tensor:
    """(..., n, n) keeps its shape."""
    return inv(input)


@op("linalg.inv")
def inv(A: Tensor) -> Tensor:
    """(..., n, n) keeps its shape."""
    square(A)
    return fresh_shape(A.shape, A.dtype, A, "unknown")


@op("linalg.inv_ex")
def inv_ex(A: Tensor, *, check_errors: object = False) -> NamedResult:
    """(..., n, n) gives its inverse and (...) error codes."""
    return NamedResult(inverse=inv(A), info=info(need_square(A)[0], A))


@op("matrix_exp", "linalg.matrix_exp")
def matrix_exp(A: Tensor) -> Tensor:
    """(..., n, n) keeps its shape."""
    need_square(A)
    need_float(A)
    return fresh_shape(A.shape, A.dtype, A, "unknown")


def _with_tolerances(batch: Shape, *tolerances: Tensor | float | None) -> Shape:
    tensors = [one.shape for one in tolerances if isinstance(one, TensorSpec)]
    return batches("matrices and tolerances", batch, *tensors)


@op("linalg.pinv")
def pinv(
    A: Tensor,
    rcond: Tensor | float | None = None,
    hermitian: bool = False,
    *,
    atol: Tensor | float | None = None,
    rtol: Tensor | float | None = None,
) -> Tensor:
    """(..., m, n) gives (..., n, m)."""
    batch, m, n = matrix(A)
    need_float(A, least=LAPACK)
    if hermitian:
        need_square(A)
    return fresh_shape(joined(_with_tolerances(batch, rcond, atol, rtol), n, m), A.dtype, A, "unknown")


@op("pinverse")
def pinverse(input: Tensor, rcond: object = 1e-15) -> Tensor:
    """(..., m, n) gives (..., n, m)."""
    return pinv(input)


@op("linalg.matrix_rank")
def matrix_rank(
    A: Tensor,
    tol: Tensor | float | None = None,
    hermitian: bool = False,
    *,
    atol: Tensor | float | None = None,
    rtol: Tensor | float | None = None,
) -> Tensor:
    """(..., m, n) gives (...) of int64."""
    batch, _, _ = matrix(A)
    need_float(A, least=LAPACK)
    if hermitian:
        need_square(A)
    return fresh_shape(_with_tolerances(batch, tol, atol, rtol), int64, A)


@op("linalg.cond")
def cond(A: Tensor, p: Number | str | None = None) -> Tensor:
    """(..., m, n) gives (...), which is real."""
    batch, _, _ = matrix(A)
    need_float(A, least=LAPACK)
    if p is not None and p not in (2, -2, 1, -1, float("inf"), float("-inf"), "fro", "nuc"):
        raise CallError(f'expected p to be "fro", "nuc", inf, -inf, 1, -1, 2 or -2, got {value_text(p)}')
    if p not in (None, 2, -2):
        need_square(A)
    return fresh_shape(batch, real(A.dtype), A)


@op("linalg.vander")
def linalg_vander(x: Tensor, *, N: Size | None = None) -> Tensor:
    """(..., n) gives the powers (..., n, N), by default (..., n, n)."""
    if x.dtype is not None and x.dtype.kind == "bool":
        raise DTypeError("expected a numeric dtype, got torch.bool")
    shape = Shape((1,)) if x.rank == 0 else x.shape
    columns = shape.size(-1) if N is None else N
    if isinstance(columns, int) and columns <= 1:
        raise ShapeError(f"expected N to be greater than 1, got {columns}")
    dtype = int64 if x.dtype is not None and x.dtype.is_integral else x.dtype
    return fresh_shape(joined(shape, columns), dtype, x, "unknown")


@op("vander")
def vander(x: Tensor, N: Size | None = None, increasing: object = False) -> Tensor:
    """(n,) gives the powers (n, N), by default (n, n)."""
    (n,) = ranked(x, 1)
    if isinstance(N, int) and N < 0:
        raise ShapeError(f"expected N to be non-negative, got {N}")
    whole = x.dtype is not None and (x.dtype.is_integral or x.dtype.kind == "bool")
    return fresh_shape(Shape((n, n if N is None else N)), int64 if whole else x.dtype, x, "unknown")


@op("linalg.householder_product", "orgqr")
def householder_product(input: Tensor, tau: Tensor) -> Tensor:
    """(..., m, n) and (..., k) give (..., m, n), where m >= n >= k."""
    _, m, n = matrix(input)
    need_same_dtype(("input", input), ("tau", tau))
    need_reflectors(input, tau)
    k = tau.shape.size(-1)
    if at_least(m, n) is False:
        raise ShapeError(f"expected the number of rows to be at least that of columns, got shape {input.shape}")
    if at_least(n, k) is False:
        raise ShapeError(f"expected tau to have at most {n} elements, got {k} (input of shape {input.shape})")
    return fresh_shape(input.shape, input.dtype, input, "unknown")


def need_reflectors(input: Tensor, tau: Tensor) -> None:
    """Raises ShapeError if `tau` does not have one dimension less than the input and the same batch dimensions."""
    if input.rank is None or tau.rank is None:
        return
    if tau.rank != input.rank - 1:
        raise ShapeError(f"expected tau to be {input.rank - 1}-D, got shape {tau.shape} (input of shape {input.shape})")
    for size, other in zip(tau.dims[:-1], input.dims[:-2], strict=True):
        if same(size, other) is False:
            raise ShapeError(
                f"expected tau and input to have the same batch dimensions, got shapes {tau.shape} and {input.shape}"
            )


@op("ormqr")
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: object = False) -> Tensor:
    """(..., m, k) of reflectors times `other` keeps the shape of `other`."""
    matrix(input)
    matrix(other, "other")
    need_same_dtype(("input", input), ("tau", tau), ("other", other))
    need_reflectors(input, tau)
    if other.rank is not None and input.rank is not None and other.rank != input.rank:
        raise ShapeError(f"expected input and other to have the same rank, got shapes {input.shape} and {other.shape}")
    m, n = input.shape.size(-2), other.shape.size(-2 if left else -1)
    if same(m, n) is False:
        raise ShapeError(
            f"expected dimension {-2 if left else -1} of other to be {m}, got {n} (input of shape {input.shape})"
        )
    k, columns = tau.shape.size(-1), input.shape.size(-1)
    if isinstance(k, int) and isinstance(columns, int) and isinstance(n, int) and k != min(columns, n):
        raise ShapeError(f"expected tau to have {min(columns, n)} elements, got {k}")
    return fresh_shape(other.shape, other.dtype, other, "unknown")


def _product(dims: tuple[Size, ...]) -> Size:
    total: Size = 1
    for size in dims:
        total = total * size
    return total


@op("linalg.tensorinv")
def tensorinv(A: Tensor, ind: int = 2) -> Tensor:
    """(*a, *b), cut at `ind`, gives (*b, *a)."""
    if isinstance(ind, int) and ind <= 0:
        raise CallError(f"expected ind to be a positive integer, got {ind}")
    dims = A.dims
    left, right = dims[:ind], dims[ind:]
    if same(_product(left), _product(right)) is False:
        raise ShapeError(
            f"cannot invert {A.shape}: the first {ind} dimensions and the others differ in the number of elements: "
            f"{_product(left)} != {_product(right)}"
        )
    need_float(A, least=LAPACK)
    return fresh_shape(Shape(right + left), A.dtype, A, "unknown")


@op("linalg.tensorsolve")
def tensorsolve(A: Tensor, B: Tensor, dims: tuple[int, ...] | None = None) -> Tensor:
    """A (*b, *x) and B (*b,) give (*x,); `dims` of A are moved to its end first."""
    moved = axes(dims or (), len(A.dims), "A")
    sizes = (*(size for index, size in enumerate(A.dims) if index not in moved), *(A.dims[index] for index in moved))
    rest, expected = sizes[len(B.dims) :], _product(sizes[: len(B.dims)])
    for name, other in (("B", _product(B.dims)), ("the result", _product(rest))):
        if same(expected, other) is False:
            raise ShapeError(
                f"expected {name} to have {expected} elements, as the first {len(B.dims)} dimensions of A of shape "
                f"{A.shape}, got {other}"
            )
    need_same_dtype(("A", A), ("B", B))
    return fresh_shape(Shape(rest), A.dtype, A, "unknown")


@op("lobpcg")
def lobpcg(
    A: Tensor, k: Size | None = None, B: Tensor | None = None, X: Tensor | None = None, **options: object
) -> tuple[Tensor, Tensor]:
    """(..., m, m) gives the k extreme eigenvalues (..., k) and their vectors (..., m, k)."""
    batch, m = square(A)
    count: Size = X.shape.size(-1) if k is None and X is not None else 1 if k is None else k
    return fresh_shape(joined(batch, count), A.dtype, A, "unknown"), fresh_shape(
        joined(batch, m, count), A.dtype, A, "unknown"
    )
