"""Grids of places, and tensors sampled at them: the formulas of torch.nn.functional.grid_sample."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape, need_equal, need_rank, sizes
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.windows import known, need_room
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, VariadicAxes
from shapecheck.spec.presentation import value_text


@op("grid_sample")
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: object = None
) -> Tensor:
    """(n, c, h, w) with a grid (n, h', w', 2) gives (n, c, h', w'); (n, c, d, h, w) needs (n, d', h', w', 3)."""
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise CallError(f'expected mode to be "bilinear", "nearest" or "bicubic", got {value_text(mode)}')
    if padding_mode not in ("zeros", "border", "reflection"):
        shown = value_text(padding_mode)
        raise CallError(f'expected padding_mode to be "zeros", "border" or "reflection", got {shown}')
    return _sampled(input, grid, (4,) if mode == "bicubic" else (4, 5))


@op("grid_sampler")
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: object, align_corners: object
) -> Tensor:
    """As `grid_sample`, with numbers for the modes."""
    return _sampled(input, grid, (4,) if interpolation_mode == 2 else (4, 5))


@op("grid_sampler_2d", "_grid_sampler_2d_cpu_fallback")
def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: object, padding_mode: object, align_corners: object
) -> Tensor:
    """As `grid_sample` for a 4-D input, with numbers for the modes."""
    return _sampled(input, grid, (4,))


@op("grid_sampler_3d")
def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: object, padding_mode: object, align_corners: object
) -> Tensor:
    """As `grid_sample` for a 5-D input, with numbers for the modes."""
    return _sampled(input, grid, (5,))


def _sampled(input: Tensor, grid: Tensor, ranks: tuple[int, ...]) -> Tensor:
    need_rank(input, ranks)
    need_rank(grid, ranks, "the grid")
    dtype = need_same_dtype(("input", input), ("grid", grid))
    if dtype is not None and not dtype.is_floating:
        raise DTypeError(f"expected the input to have a floating-point dtype, got {dtype}")
    rank = input.rank or grid.rank or (ranks[0] if len(ranks) == 1 else None)
    if rank is None:
        shape = Shape((input.shape.size(0), input.shape.size(1)), VariadicAxes(), ())
        return fresh_shape(shape, dtype, input)
    image, points = known(input.shape, rank, "the input"), known(grid.shape, rank, "the grid")
    need_equal(
        points[-1],
        rank - 2,
        f"expected the last dimension of the grid to be {rank - 2}, got {points[-1]} (grid of shape {grid.shape})",
    )
    need_equal(
        image[0],
        points[0],
        f"expected input and grid to have the same batch size, got shapes {input.shape} and {grid.shape}",
    )
    if 0 in image[2:]:
        raise ShapeError(f"expected an input without empty spatial dimensions, got shape {input.shape}")
    return fresh((*image[:2], *points[1:-1]), dtype, input)


@op("affine_grid", "affine_grid_generator")
def affine_grid(theta: Tensor, size: Sequence[Size], align_corners: object = None) -> Tensor:
    """(n, 2, 3) with a size (n, c, h, w) gives (n, h, w, 2); (n, 3, 4) with (n, c, d, h, w) gives (n, d, h, w, 3)."""
    if theta.dtype is not None and not theta.dtype.is_floating:
        raise DTypeError(f"expected theta to have a floating-point dtype, got {theta.dtype}")
    given = sizes((size,))
    count = len(given) - 2
    if count not in (2, 3):
        raise CallError(f"expected size to have 4 or 5 elements, got {Shape(given)}")
    batch, rows, columns = known(theta.shape, 3, "theta")
    expected = Shape((given[0], count, count + 1))
    message = f"expected theta of shape {expected} for size {Shape(given)}, got {theta.shape}"
    for left, right in ((rows, count), (columns, count + 1), (batch, given[0])):
        need_equal(left, right, message)
    need_room(given, Shape(given))
    return fresh((given[0], *given[2:], count), theta.dtype, theta)
