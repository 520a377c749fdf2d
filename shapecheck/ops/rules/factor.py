"""Matrix decompositions: Cholesky, QR, singular values, eigenvalues, LU and LDL."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.linalg import LAPACK, info, real, square
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape
from shapecheck.ops.shared.named import NamedResult
from shapecheck.ops.shared.ranks import joined, matrix, need_float
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, at_least, minimum
from shapecheck.spec.dtype import int32
from shapecheck.spec.presentation import value_text


def _matrix(A: Tensor) -> tuple[Shape, Size, Size]:
    batch, m, n = matrix(A)
    need_float(A, least=LAPACK)
    return batch, m, n


def _made(A: Tensor, batch: Shape, *sizes: Size) -> Tensor:
    # Whether LAPACK's results are in Fortran order depends on the driver.
    return fresh_shape(joined(batch, *sizes), A.dtype, A, "unknown")


@op("cholesky", "cholesky_inverse")
def cholesky(input: Tensor, upper: object = False) -> Tensor:
    """(..., n, n) keeps its shape."""
    square(input)
    return fresh_shape(input.shape, input.dtype, input, "unknown")


@op("linalg.cholesky")
def linalg_cholesky(A: Tensor, *, upper: object = False) -> Tensor:
    """(..., n, n) keeps its shape."""
    return cholesky(A)


@op("linalg.cholesky_ex")
def cholesky_ex(A: Tensor, *, upper: object = False, check_errors: object = False) -> NamedResult:
    """(..., n, n) gives the factor and (...) error codes."""
    return NamedResult(L=cholesky(A), info=info(square(A)[0], A))


@op("linalg.qr")
def linalg_qr(A: Tensor, mode: str = "reduced") -> NamedResult:
    """(..., m, n) gives Q (..., m, k) and R (..., k, n), where k is min(m, n), or m for the complete mode."""
    batch, m, n = _matrix(A)
    if mode not in ("reduced", "complete", "r"):
        raise CallError(f'expected mode to be "reduced", "complete" or "r", got {value_text(mode)}')
    k = m if mode == "complete" else minimum(m, n)
    q = fresh((0,), A.dtype, A) if mode == "r" else _made(A, batch, m, k)
    return NamedResult(Q=q, R=_made(A, batch, k, n))


@op("qr")
def qr(input: Tensor, some: bool = True) -> NamedResult:
    """(..., m, n) gives Q (..., m, k) and R (..., k, n), where k is min(m, n), or m where not `some`."""
    return linalg_qr(input, "reduced" if some else "complete")


@op("geqrf")
def geqrf(input: Tensor) -> NamedResult:
    """(..., m, n) gives the reflectors (..., m, n) and (..., min(m, n)) factors."""
    batch, m, n = _matrix(input)
    return NamedResult(a=_made(input, batch, m, n), tau=_made(input, batch, minimum(m, n)))


@op("linalg.svd")
def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: object = None) -> NamedResult:
    """(..., m, n) gives U (..., m, m), S (..., min(m, n)) and Vh (..., n, n), or the reduced U and Vh."""
    batch, m, n = _matrix(A)
    k = minimum(m, n)
    u, v = (m, n) if full_matrices else (k, k)
    return NamedResult(U=_made(A, batch, m, u), S=_values(A, batch, k), Vh=_made(A, batch, v, n))


def _values(A: Tensor, batch: Shape, k: Size, dtype: DType | None = None) -> Tensor:
    return fresh_shape(joined(batch, k), real(A.dtype) if dtype is None else dtype, A, "unknown")


@op("svd")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> NamedResult:
    """(..., m, n) gives U (..., m, k), S (..., k) and V (..., n, k), k = min(m, n); the full U and V if not `some`."""
    batch, m, n = _matrix(input)
    k = minimum(m, n)
    u, v = (k, k) if some and compute_uv else (m, n)
    return NamedResult(U=_made(input, batch, m, u), S=_values(input, batch, k), V=_made(input, batch, n, v))


@op("linalg.svdvals")
def svdvals(A: Tensor, *, driver: object = None) -> Tensor:
    """(..., m, n) gives (..., min(m, n)), which is real."""
    batch, m, n = _matrix(A)
    return _values(A, batch, minimum(m, n))


@op("svd_lowrank")
def svd_lowrank(
    A: Tensor, q: Size | None = 6, niter: object = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """(..., m, n) gives U (..., m, k), S (..., k) and V (..., n, k), where k is min(q, m, n)."""
    batch, m, n = _matrix(A)
    k = minimum(6 if q is None else q, m, n)
    return _made(A, batch, m, k), _values(A, batch, k), _made(A, batch, n, k)


@op("pca_lowrank")
def pca_lowrank(
    A: Tensor, q: Size | None = None, center: object = True, niter: object = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """(..., m, n) gives U (..., m, q), S (..., q) and V (..., n, q); q is at most 6 unless it is given."""
    _, m, n = _matrix(A)
    least = minimum(m, n)
    if q is not None and (at_least(least, q) is False or at_least(q, 0) is False):
        raise ShapeError(f"expected q to be between 0 and {least}, got {q} (input of shape {A.shape})")
    return svd_lowrank(A, minimum(6, least) if q is None else q)


def _complex(dtype: DType | None) -> DType | None:
    return None if dtype is None else dtype.to_complex()


@op("linalg.eig")
def eig(A: Tensor) -> NamedResult:
    """(..., n, n) gives the eigenvalues (..., n) and the vectors (..., n, n), both complex."""
    batch, n = square(A)
    dtype = _complex(A.dtype)
    vectors = fresh_shape(joined(batch, n, n), dtype, A, "unknown")
    return NamedResult(eigenvalues=fresh_shape(joined(batch, n), dtype, A, "unknown"), eigenvectors=vectors)


@op("linalg.eigvals")
def eigvals(A: Tensor) -> Tensor:
    """(..., n, n) gives (..., n), which is complex."""
    batch, n = square(A)
    return fresh_shape(joined(batch, n), _complex(A.dtype), A, "unknown")


def _need_triangle(word: str) -> None:
    if word.upper() not in ("L", "U"):
        raise CallError(f'expected UPLO to be "L" or "U", got {value_text(word)}')


@op("linalg.eigh")
def eigh(A: Tensor, UPLO: str = "L") -> NamedResult:
    """(..., n, n) gives the real eigenvalues (..., n) and the vectors (..., n, n)."""
    batch, n = square(A)
    _need_triangle(UPLO)
    return NamedResult(eigenvalues=_values(A, batch, n), eigenvectors=_made(A, batch, n, n))


@op("linalg.eigvalsh")
def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """(..., n, n) gives (..., n), which is real."""
    batch, n = square(A)
    _need_triangle(UPLO)
    return _values(A, batch, n)


@op("linalg.lu_factor")
def lu_factor(A: Tensor, *, pivot: object = True) -> NamedResult:
    """(..., m, n) gives both factors in (..., m, n) and the pivots (..., min(m, n)) of int32."""
    batch, m, n = _matrix(A)
    return NamedResult(LU=_made(A, batch, m, n), pivots=_pivots(A, batch, minimum(m, n)))


def _pivots(A: Tensor, batch: Shape, k: Size) -> Tensor:
    return fresh_shape(joined(batch, k), int32, A, "unknown")


@op("linalg.lu_factor_ex")
def lu_factor_ex(A: Tensor, *, pivot: object = True, check_errors: object = False) -> NamedResult:
    """(..., m, n) gives both factors in (..., m, n), the pivots (..., min(m, n)) and (...) error codes."""
    factors, pivots = lu_factor(A)
    return NamedResult(LU=factors, pivots=pivots, info=info(matrix(A)[0], A))


@op("lu")
def lu(A: Tensor, pivot: object = True, get_infos: bool = False) -> tuple[Tensor, ...]:
    """(..., m, n) gives both factors in (..., m, n), the pivots (..., min(m, n)) and, on request, (...) error codes."""
    results = lu_factor_ex(A)
    return tuple(results) if get_infos else tuple(results[:2])


@op("linalg.lu")
def linalg_lu(A: Tensor, *, pivot: bool = True) -> NamedResult:
    """(..., m, n) gives P (..., m, m), L (..., m, k) and U (..., k, n), where k is min(m, n)."""
    batch, m, n = _matrix(A)
    k = minimum(m, n)
    permutation = _made(A, batch, m, m) if pivot else fresh((0,), A.dtype, A)
    return NamedResult(P=permutation, L=_made(A, batch, m, k), U=_made(A, batch, k, n))


@op("lu_unpack")
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> NamedResult:
    """(..., m, n) and its pivots give P (..., m, m), L (..., m, k) and U (..., k, n); the others are empty."""
    batch, m, n = matrix(LU_data, "LU_data")
    if unpack_pivots and LU_pivots.dtype is not None and LU_pivots.dtype is not int32:
        raise DTypeError(f"expected LU_pivots to have dtype torch.int32, got {LU_pivots.dtype}")
    k, empty = minimum(m, n), fresh((0,), LU_data.dtype, LU_data)
    return NamedResult(
        P=_made(LU_data, batch, m, m) if unpack_pivots else empty,
        L=_made(LU_data, batch, m, k) if unpack_data else empty,
        U=_made(LU_data, batch, k, n) if unpack_data else empty,
    )


@op("linalg.ldl_factor")
def ldl_factor(A: Tensor, *, hermitian: object = False) -> NamedResult:
    """(..., n, n) gives the factor (..., n, n) and the pivots (..., n) of int32."""
    batch, n = square(A)
    return NamedResult(LD=_made(A, batch, n, n), pivots=_pivots(A, batch, n))


@op("linalg.ldl_factor_ex")
def ldl_factor_ex(A: Tensor, *, hermitian: object = False, check_errors: object = False) -> NamedResult:
    """(..., n, n) gives the factor (..., n, n), the pivots (..., n) and (...) error codes."""
    factor, pivots = ldl_factor(A)
    return NamedResult(LD=factor, pivots=pivots, info=info(square(A)[0], A))
