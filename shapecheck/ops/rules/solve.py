"""Systems of linear equations."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.linalg import LAPACK, info, real, square
from shapecheck.ops.shared.arguments import Tensor, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.named import NamedResult
from shapecheck.ops.shared.ranks import batches, joined, matrix, need_float, need_square
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, Unanswered, at_least, minimum, same
from shapecheck.spec.dtype import int32, int64
from shapecheck.spec.presentation import quoted, value_text


def _is_vector(A: Tensor, B: Tensor) -> bool:
    """Whether B is one vector for each matrix of A; raises Unanswered if that depends on unknown sizes."""
    a, b = A.dims, B.dims
    if len(b) == 1:
        return True
    if len(b) != len(a) - 1:
        return False
    known = [same(size, other) for size, other in zip(b, a[:-1], strict=True)]
    if False in known:
        return False
    if None in known:
        raise Unanswered(f"batch of vectors or matrices B of shape {B.shape}")
    return True


def _solved(A: Tensor, B: Tensor, left: bool, names: tuple[str, str] = ("A", "B")) -> Shape:
    """The shape of X for square A: AX = B, or XA = B; the batch dimensions broadcast."""
    batch, n = need_square(A, names[0])
    other, rows, columns = matrix(B, names[1])
    given, axis = (rows, -2) if left else (columns, -1)
    equation = "AX = B" if left else "XA = B"
    if given != n:
        message = (
            f"cannot solve {equation}: expected dimension {axis} of {names[1]} to be {n}, got {given} "
            f"({names[0]} of shape {A.shape})"
        )
        need_equal(given, n, message)
    return joined(batches(f"{names[0]} and {names[1]}", batch, other), rows, columns)


@op("linalg.solve")
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """(..., n, n) and (..., n, k), or one vector (..., n) for each matrix, give X of B's form, broadcast."""
    batch, n = square(A, "A")
    dtype = need_same_dtype(("A", A), ("B", B))
    if B.rank == 0:
        raise ShapeError("expected B to have at least 1 dimension, got shape ()")
    if not _is_vector(A, B):
        return fresh_shape(_solved(A, B, left), dtype, A, "unknown")
    size = B.shape.size(-1)
    if not left:
        raise ShapeError(f"cannot solve XA = B for vectors: A of shape {A.shape}, B of shape {B.shape}")
    wrong = f"expected the last dimension of B to be {n}, got {size}"
    need_equal(size, n, f"cannot solve AX = B: {wrong} (A of shape {A.shape})")
    return fresh_shape(joined(batch, n), dtype, A, "unknown")


@op("linalg.solve_ex")
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: object = False) -> NamedResult:
    """The result of `linalg.solve`, and (...) error codes."""
    return NamedResult(result=solve(A, B, left=left), info=info(need_square(A, "A")[0], A))


@op("linalg.solve_triangular")
def solve_triangular(
    A: Tensor, B: Tensor, *, upper: object, left: bool = True, unitriangular: object = False
) -> Tensor:
    """(..., n, n) and (..., n, k), or (..., k, n) where not `left`, give X of B's form, broadcast."""
    shape = _solved(A, B, left)
    need_float(A, "A", LAPACK)
    return fresh_shape(shape, A.dtype, B, "unknown")


@op("triangular_solve")
def triangular_solve(
    b: Tensor, A: Tensor, upper: object = True, transpose: object = False, unitriangular: object = False
) -> NamedResult:
    """b (..., n, k) and A (..., n, n) give X (..., n, k) and A, both broadcast."""
    shape = _solved(A, b, True, ("A", "b"))
    dtype = need_same_dtype(("b", b), ("A", A))
    n = A.shape.size(-1)
    coefficients = joined(shape.without(-1).without(-1), n, n)
    return NamedResult(
        solution=fresh_shape(shape, dtype, b, "unknown"),
        cloned_coefficient=fresh_shape(coefficients, dtype, A, "unknown"),
    )


@op("cholesky_solve")
def cholesky_solve(B: Tensor, L: Tensor, upper: object = False) -> Tensor:
    """B (..., n, k) and a factor (..., n, n) give (..., n, k), broadcast."""
    shape = _solved(L, B, True, ("L", "B"))
    dtype = need_same_dtype(("B", B), ("L", L))
    need_float(L, "L", LAPACK)
    return fresh_shape(shape, dtype, B, "unknown")


@op("linalg.lu_solve")
def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: object = False) -> Tensor:
    """The factors (..., n, n), their pivots (..., n) and B (..., n, k) give (..., n, k), broadcast."""
    shape = _solved(LU, B, left, ("LU", "B"))
    dtype = need_same_dtype(("LU", LU), ("B", B))
    _need_pivots(LU, pivots)
    return fresh_shape(shape, dtype, B, "unknown")


def _need_pivots(factors: Tensor, pivots: Tensor) -> None:
    if pivots.dtype is not None and pivots.dtype is not int32:
        raise DTypeError(f"expected pivots to have dtype torch.int32, got {pivots.dtype}")
    if pivots.rank is None or factors.rank is None:
        return
    expected = Shape(factors.dims[:-1])
    message = f"expected pivots of shape {expected}, got {pivots.shape}"
    if pivots.rank != len(expected):
        raise ShapeError(message)
    for size, other in zip(pivots.dims, expected, strict=True):
        need_equal(size, other, message)


@op("lu_solve")
def torch_lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """b (..., n, k), the factors (..., n, n) and their pivots (..., n) give (..., n, k), broadcast."""
    return lu_solve(LU_data, LU_pivots, b)


@op("linalg.ldl_solve")
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: object = False) -> Tensor:
    """The factor (..., n, n), its pivots (..., n) and B (..., n, k) give (..., n, k), broadcast."""
    shape = _solved(LD, B, True, ("LD", "B"))
    if pivots.dtype is not None and not pivots.dtype.is_integral:
        raise DTypeError(f"expected pivots to have an integer dtype, got {pivots.dtype}")
    dtype = need_same_dtype(("LD", LD), ("B", B))
    return fresh_shape(shape, dtype, B, "unknown")


def _is_vector_of(A: Tensor, B: Tensor) -> bool:
    missing = len(A.dims) - len(B.dims)
    if missing not in (0, 1):
        raise ShapeError(f"expected B to have the rank of A or one dimension less, got shapes {B.shape} and {A.shape}")
    return missing == 1


_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


@op("linalg.lstsq")
def lstsq(A: Tensor, B: Tensor, rcond: object = None, *, driver: str | None = None) -> NamedResult:
    """(..., m, n) and (..., m, k), or vectors (..., m), give (..., n, k) or (..., n), and the results of LAPACK."""
    batch, m, n = matrix(A, "A")
    dtype = need_same_dtype(("A", A), ("B", B))
    if driver is not None and driver not in _DRIVERS:
        raise CallError(f"expected driver to be one of {', '.join(map(quoted, _DRIVERS))}, got {value_text(driver)}")
    vector = _is_vector_of(A, B)
    other, rows, columns = (B.shape.without(-1), B.shape.size(-1), 1) if vector else matrix(B, "B")
    if rows != m:
        message = f"expected dimension {-1 if vector else -2} of B to be {m}, got {rows} (A of shape {A.shape})"
        need_equal(rows, m, message)
    stacked = batches("A and B", batch, other)
    k = minimum(m, n)
    return NamedResult(
        solution=fresh_shape(joined(stacked, n) if vector else joined(stacked, n, columns), dtype, A, "unknown"),
        residuals=fresh_shape(_residuals(stacked, m, n, columns, driver), real(dtype), A, "unknown"),
        rank=fresh_shape(_for_drivers(batch, driver, ("gelsy", "gelsd", "gelss")), int64, A, "unknown"),
        singular_values=fresh_shape(
            _for_drivers(joined(batch, k), driver, ("gelsd", "gelss")), real(dtype), A, "unknown"
        ),
    )


def _for_drivers(shape: Shape, driver: str | None, drivers: tuple[str, ...]) -> Shape:
    """A result that only some drivers return; the default driver depends on the device: gelsy on CPUs, gels on GPUs."""
    if driver is None and "gelsy" in drivers:
        return Shape.anything()
    return shape if driver in drivers else Shape((0,))


def _residuals(batch: Shape, m: Size, n: Size, columns: Size, driver: str | None) -> Shape:
    """Only for more equations than unknowns, and a matrix of full rank, which some drivers assume."""
    more = at_least(n, m)
    if more or driver == "gelsy":
        return Shape((0,))
    return joined(batch, columns) if driver == "gels" and more is False else Shape.anything()
