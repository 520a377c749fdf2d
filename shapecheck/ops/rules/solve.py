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


def _is_vector(A: Tensor, B: Tensor) -> bool:
    """Whether B is one vector for each matrix of A; raises Unanswered where that hangs on sizes that are unknown."""
    a, b = A.dims, B.dims
    if len(b) == 1:
        return True
    if len(b) != len(a) - 1:
        return False
    known = [same(size, other) for size, other in zip(b, a[:-1], strict=True)]
    if False in known:
        return False
    if None in known:
        raise Unanswered(f"whether B, {B.shape}, is a batch of vectors or a matrix hangs on sizes that are unknown")
    return True


def _solved(A: Tensor, B: Tensor, left: bool, names: tuple[str, str] = ("A", "B")) -> Shape:
    """The shape of X for square A: AX = B, or XA = B; the batch axes broadcast."""
    batch, n = need_square(A, names[0])
    other, rows, columns = matrix(B, names[1])
    given, axis = (rows, -2) if left else (columns, -1)
    equation = "AX = B" if left else "XA = B"
    if given != n:
        message = (
            f"{names[0]} is {A.shape} and axis {axis} of {names[1]} is {given}, in {B.shape}: "
            f"incompatible shapes for {equation}, {n} is due"
        )
        need_equal(given, n, message)
    return joined(batches("the equations", batch, other), rows, columns)


@op("linalg.solve")
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """(..., n, n) and (..., n, k), or one vector (..., n) for each matrix, give X of B's form, broadcast."""
    batch, n = square(A, "A")
    dtype = need_same_dtype(("A", A), ("B", B))
    if B.rank == 0:
        raise ShapeError("B must have at least 1 dimension, it is a scalar")
    if not _is_vector(A, B):
        return fresh_shape(_solved(A, B, left), dtype, A, "unknown")
    size = B.shape.size(-1)
    if not left:
        raise ShapeError(f"incompatible shapes for XA = B: A is {A.shape}, B is {B.shape}, a batch of vectors")
    need_equal(size, n, f"A is {A.shape} and the last axis of B is {size}: incompatible shapes for AX = B, {n} is due")
    return fresh_shape(joined(batch, n), dtype, A, "unknown")


@op("linalg.solve_ex")
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> NamedResult:
    """What `linalg.solve` gives, and (...) error codes."""
    return NamedResult(result=solve(A, B, left=left), info=info(need_square(A, "A")[0], A))


@op("linalg.solve_triangular")
def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """(..., n, n) and (..., n, k), or (..., k, n) where not `left`, give X of B's form, broadcast."""
    shape = _solved(A, B, left)
    need_float(A, "A", LAPACK)
    return fresh_shape(shape, A.dtype, B, "unknown")


@op("triangular_solve")
def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
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
def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """B (..., n, k) and a factor (..., n, n) give (..., n, k), broadcast."""
    shape = _solved(L, B, True, ("L", "B"))
    dtype = need_same_dtype(("B", B), ("L", L))
    need_float(L, "L", LAPACK)
    return fresh_shape(shape, dtype, B, "unknown")


@op("linalg.lu_solve")
def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """The factors (..., n, n), their pivots (..., n) and B (..., n, k) give (..., n, k), broadcast."""
    shape = _solved(LU, B, left, ("LU", "B"))
    dtype = need_same_dtype(("LU", LU), ("B", B))
    _need_pivots(LU, pivots)
    return fresh_shape(shape, dtype, B, "unknown")


def _need_pivots(factors: Tensor, pivots: Tensor) -> None:
    if pivots.dtype is not None and pivots.dtype is not int32:
        raise DTypeError(f"the pivots are {pivots.dtype}; torch.int32 is due")
    if pivots.rank is None or factors.rank is None:
        return
    expected = Shape(factors.dims[:-1])
    message = f"the pivots are {pivots.shape}, {expected} is due: the same shape as the factors, without the last axis"
    if pivots.rank != len(expected):
        raise ShapeError(message)
    for size, other in zip(pivots.dims, expected, strict=True):
        need_equal(size, other, message)


@op("lu_solve")
def torch_lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """b (..., n, k), the factors (..., n, n) and their pivots (..., n) give (..., n, k), broadcast."""
    return lu_solve(LU_data, LU_pivots, b)


@op("linalg.ldl_solve")
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False) -> Tensor:
    """The factor (..., n, n), its pivots (..., n) and B (..., n, k) give (..., n, k), broadcast."""
    shape = _solved(LD, B, True, ("LD", "B"))
    if pivots.dtype is not None and not pivots.dtype.is_integral:
        raise DTypeError(f"the pivots are {pivots.dtype}; integers are due")
    dtype = need_same_dtype(("LD", LD), ("B", B))
    return fresh_shape(shape, dtype, B, "unknown")


def _is_vector_of(A: Tensor, B: Tensor) -> bool:
    missing = len(A.dims) - len(B.dims)
    if missing not in (0, 1):
        raise ShapeError(
            f"the other must have as many dimensions as the input, or one less: they are {B.shape} and {A.shape}"
        )
    return missing == 1


_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


@op("linalg.lstsq")
def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> NamedResult:
    """(..., m, n) and (..., m, k), or vectors (..., m), give (..., n, k) or (..., n), and what LAPACK tells."""
    batch, m, n = matrix(A, "the input")
    dtype = need_same_dtype(("the input", A), ("the other", B))
    if driver is not None and driver not in _DRIVERS:
        raise CallError(f"driver should be one of {', '.join(_DRIVERS)}, not {driver!r}")
    vector = _is_vector_of(A, B)
    other, rows, columns = (B.shape.without(-1), B.shape.size(-1), 1) if vector else matrix(B, "the other")
    if rows != m:
        message = f"axis {-1 if vector else -2} of the other is {rows}, axis -2 of the input is {m}; they must be equal"
        need_equal(rows, m, message)
    stacked = batches("the equations", batch, other)
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
    """A result that only some drivers give; without a driver the device decides: gelsy on a cpu, gels on a gpu."""
    if driver is None and "gelsy" in drivers:
        return Shape.anything()
    return shape if driver in drivers else Shape((0,))


def _residuals(batch: Shape, m: Size, n: Size, columns: Size, driver: str | None) -> Shape:
    """Only for more equations than unknowns, and a matrix of full rank, which some drivers take for granted."""
    more = at_least(n, m)
    if more or driver == "gelsy":
        return Shape((0,))
    return joined(batch, columns) if driver == "gels" and more is False else Shape.anything()
