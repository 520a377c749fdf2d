"""Changing an image's sizes: interpolate and the upsample operators, grids, pixel and channel shuffles.

The formulas are those of torch.nn.Upsample, torch.nn.functional.grid_sample and torch.nn.PixelShuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.pool import adaptive_pool
from shapecheck.ops.shared.arguments import Number, Tensor, fresh, fresh_shape, need_equal, need_rank, sizes
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.windows import (
    SizesOrUnknown,
    divided,
    kept,
    known,
    last,
    need_content,
    need_room,
    replaced,
    result,
    scaled,
    settings,
)
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import (
    CallError,
    DTypeError,
    Run,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    at_least,
    unknown,
)
from shapecheck.spec.dtype import uint8

Factors: TypeAlias = Number | Sequence[Number] | None
FactorsOrUnknown: TypeAlias = Factors | Unknown

_COUNTS = {
    "nearest": (1, 2, 3),
    "nearest-exact": (1, 2, 3),
    "area": (1, 2, 3),
    "linear": (1,),
    "bilinear": (2,),
    "bicubic": (2,),
    "lanczos": (2,),
    "trilinear": (3,),
}


@op("interpolate")
def interpolate(
    input: Tensor,
    size: SizesOrUnknown | None = None,
    scale_factor: FactorsOrUnknown = None,
    mode: str = "nearest",
    align_corners: object = None,
    recompute_scale_factor: object = None,
    antialias: bool = False,
) -> Tensor:
    """(n, c, *sizes) gives (n, c, *size), or (n, c, *floor(sizes * scale_factor))."""
    _need_options(mode, align_corners, antialias, size, recompute_scale_factor)
    size, scale_factor = _one_of(size, scale_factor)
    count = _count(input, mode, size if scale_factor is None else scale_factor)
    if count is None:
        return _open(input, size, scale_factor)
    shape = Shape(known(input.shape, count + 2, "the input"))
    if mode == "area":
        made = _made(shape, count, size, scale_factor)
        return adaptive_pool(count, result(input, shape, input.layout, input.dtype), made, "avg")
    _need_dtype(input, mode, mode in ("linear", "trilinear"))
    return resized(input, shape, count, _made(shape, count, size, scale_factor))


@op("upsample")
def upsample(
    input: Tensor,
    size: SizesOrUnknown | None = None,
    scale_factor: FactorsOrUnknown = None,
    mode: str = "nearest",
    align_corners: object = None,
) -> Tensor:
    """The older name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


@op("upsample_nearest")
def upsample_nearest(
    input: Tensor, size: SizesOrUnknown | None = None, scale_factor: FactorsOrUnknown = None
) -> Tensor:
    """`interpolate` with mode "nearest"."""
    return interpolate(input, size, scale_factor)


@op("upsample_bilinear")
def upsample_bilinear(
    input: Tensor, size: SizesOrUnknown | None = None, scale_factor: FactorsOrUnknown = None
) -> Tensor:
    """`interpolate` with mode "bilinear"."""
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)


def resized(input: Tensor, shape: Shape, count: int, made: Sequence[Size]) -> Tensor:
    """The input with these as its last sizes, all of them at least 1."""
    need_content(shape, count)
    need_room(made, shape)
    return result(input, Shape((*shape.dims[:2], *made)), kept(input, count), input.dtype)


def _need_options(mode: str, align_corners: object, antialias: bool, size: object, recompute: object) -> None:
    if mode not in _COUNTS:
        raise CallError(f"there is no mode {mode!r}; the modes are {', '.join(_COUNTS)}")
    if isinstance(align_corners, bool) and mode in ("nearest", "nearest-exact", "area"):
        raise CallError(f"align_corners is only for the modes linear, bilinear, bicubic and trilinear, not {mode!r}")
    if mode == "lanczos" and (align_corners is True or not antialias):
        raise CallError("the mode lanczos requires antialias=True and does not support align_corners=True")
    if antialias and mode not in ("bilinear", "bicubic", "lanczos"):
        raise CallError(f"antialias is only for the modes bilinear, bicubic and lanczos, not {mode!r}")
    if recompute is True and size is not None and type(size) is not Unknown:
        raise CallError("recompute_scale_factor makes no sense with an explicit size")


def _need_dtype(input: Tensor, what: str, only_floats: bool = False) -> None:
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating and (only_floats or dtype is not uint8):
        raise DTypeError(f"{what} is not implemented for {dtype}: a floating dtype is due")


def _count(input: Tensor, mode: str, given: Any) -> int | None:
    """How many axes are resized, None where that is open."""
    allowed = _COUNTS[mode]
    rank = input.rank
    if rank is None:
        count = len(given) if isinstance(given, (tuple, list)) else None
        if count is None:
            return allowed[0] if len(allowed) == 1 else None
    else:
        count = rank - 2
        if isinstance(given, (tuple, list)) and len(given) != count:
            raise CallError(
                f"size or scale_factor has {len(given)} values, the input {input.shape} has {count} spatial dimensions"
            )
    if count not in allowed:
        due = " or ".join(f"{one + 2}D" for one in allowed)
        raise ShapeError(f"the mode {mode!r} needs a {due} input, here it is {count + 2}D: {input.shape}")
    return count


def _one_of(size: Any, scale_factor: Any) -> tuple[Any, Any]:
    """Size and scale factor, one of them None; one that is unknown must be None where the other is given."""
    if type(size) is Unknown and scale_factor is not None:
        return (size, None) if type(scale_factor) is Unknown else (None, scale_factor)
    if type(scale_factor) is Unknown and size is not None:
        return size, None
    if (size is None) is (scale_factor is None):
        raise CallError(f"one of size and scale_factor must be given, not {'both' if size is not None else 'neither'}")
    return size, scale_factor


def _made(shape: Shape, count: int, size: Any, factor: Any) -> list[Size]:
    if factor is None:
        values = size if isinstance(size, (tuple, list)) else (size,) * count
        return [_size(value) for value in values]
    factors = factor if isinstance(factor, (tuple, list)) else (factor,) * count
    return [scaled(had, by) for had, by in zip(shape.head[-count:], factors, strict=True)]


def _size(value: Any) -> Size:
    return unknown(low=1) if isinstance(value, (TensorSpec, Unknown)) else sizes((value,))[0]


def _open(input: Tensor, size: Any, factor: Any) -> Tensor:
    """Neither the input's rank nor the mode says how many axes are resized."""
    head, run, tail = input.shape.head, input.shape.run, input.shape.tail
    if len(head) < 2:
        return result(input, Shape.anything(), "unknown", input.dtype)

    def made(had: Size) -> Size:
        return _size(size) if factor is None else scaled(had, factor)

    shape = Shape((*head[:2], *map(made, head[2:])), Run() if run is None else run, tuple(map(made, tail)))
    if tail or len(head) > 2 or run is None:
        return result(input, shape, "unknown", input.dtype)
    return result(
        input, Shape(head, Run(), (_size(size) if factor is None else unknown(low=1),)), "unknown", input.dtype
    )


def _upsample_rule(count: int, only_floats: bool) -> Callable[..., Tensor]:
    def rule(self: Tensor, output_size: Any, *scales: Any, **named: Any) -> Tensor:
        _need_dtype(self, "this operator", only_floats)
        shape = Shape(known(self.shape, count + 2, "the input"))
        factors = named.get("scale_factors") or next((one for one in scales if isinstance(one, (tuple, list))), None)
        if (output_size is None) is (factors is None):
            raise CallError("exactly one of output_size and scale_factors must be given")
        given = output_size if factors is None else factors
        if not isinstance(given, (tuple, list)) or len(given) != count:
            raise CallError(f"output_size is {given}: {count} numbers are due")
        return resized(self, shape, count, _made(shape, count, output_size, factors))

    return rule


def _upsample_gradient(
    grad_output: Tensor, output_size: Any, input_size: Sequence[Size], *more: Any, **named: Any
) -> Tensor:
    return fresh_shape(Shape(sizes((input_size,))), grad_output.dtype, grad_output, "unknown")


def _enter() -> None:
    kinds = [
        (f"{kind}{count}d", count, False)
        for kind in ("upsample_nearest", "_upsample_nearest_exact")
        for count in (1, 2, 3)
    ]
    kinds += [("upsample_linear1d", 1, True), ("upsample_trilinear3d", 3, True)]
    kinds += [(f"upsample_{kind}2d", 2, False) for kind in ("bilinear", "bicubic")]
    kinds += [(f"_upsample_{kind}2d_aa", 2, False) for kind in ("bilinear", "bicubic", "lanczos")]
    for name, count, only_floats in kinds:
        register(_upsample_rule(count, only_floats), name)
        register(_upsample_gradient, f"{name}_backward")


_enter()


@op("grid_sample")
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: object = None
) -> Tensor:
    """(n, c, h, w) with a grid (n, h', w', 2) gives (n, c, h', w'); (n, c, d, h, w) needs (n, d', h', w', 3)."""
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise CallError(f"the mode must be bilinear, nearest or bicubic, not {mode!r}")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise CallError(f"the padding mode must be zeros, border or reflection, not {padding_mode!r}")
    return _sampled(input, grid, (4,) if mode == "bicubic" else (4, 5))


@op("grid_sampler")
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """What `grid_sample` gives; the modes are numbers."""
    return _sampled(input, grid, (4,) if interpolation_mode == 2 else (4, 5))


@op("grid_sampler_2d", "_grid_sampler_2d_cpu_fallback")
def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """What `grid_sample` gives for an input of rank 4; the modes are numbers."""
    return _sampled(input, grid, (4,))


@op("grid_sampler_3d")
def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """What `grid_sample` gives for an input of rank 5; the modes are numbers."""
    return _sampled(input, grid, (5,))


def _sampled(input: Tensor, grid: Tensor, ranks: tuple[int, ...]) -> Tensor:
    need_rank(input, ranks)
    need_rank(grid, ranks, "the grid")
    dtype = need_same_dtype(("the input", input), ("the grid", grid))
    if dtype is not None and not dtype.is_floating:
        raise DTypeError(f"sampling is not implemented for {dtype}: a floating dtype is due")
    rank = input.rank or grid.rank or (ranks[0] if len(ranks) == 1 else None)
    if rank is None:
        shape = Shape((input.shape.size(0), input.shape.size(1)), Run(), ())
        return fresh_shape(shape, dtype, input)
    image, points = known(input.shape, rank, "the input"), known(grid.shape, rank, "the grid")
    need_equal(
        points[-1], rank - 2, f"the last axis of the grid {grid.shape} is {points[-1]}, {rank - 2} coordinates are due"
    )
    need_equal(
        image[0],
        points[0],
        f"the batch sizes differ: {image[0]} in the input {input.shape}, {points[0]} in the grid {grid.shape}",
    )
    if 0 in image[2:]:
        raise ShapeError(f"the input {input.shape} has an empty spatial dimension")
    return fresh((*image[:2], *points[1:-1]), dtype, input)


@op("affine_grid", "affine_grid_generator")
def affine_grid(theta: Tensor, size: Sequence[Size], align_corners: object = None) -> Tensor:
    """(n, 2, 3) with a size (n, c, h, w) gives (n, h, w, 2); (n, 3, 4) with (n, c, d, h, w) gives (n, d, h, w, 3)."""
    if theta.dtype is not None and not theta.dtype.is_floating:
        raise DTypeError(f"theta is {theta.dtype}: a floating dtype is due")
    given = sizes((size,))
    count = len(given) - 2
    if count not in (2, 3):
        raise CallError(f"only 4D and 5D sizes are supported, here it is {Shape(given)}")
    batch, rows, columns = known(theta.shape, 3, "theta")
    due = Shape((given[0], count, count + 1))
    message = f"theta is {theta.shape}; a batch of matrices {due} is due for the size {Shape(given)}"
    for left, right in ((rows, count), (columns, count + 1), (batch, given[0])):
        need_equal(left, right, message)
    need_room(given, Shape(given))
    return fresh((given[0], *given[2:], count), theta.dtype, theta)


@op("pixel_shuffle")
def pixel_shuffle(self: Tensor, upscale_factor: Size) -> Tensor:
    """(..., c * r * r, h, w) gives (..., c, h * r, w * r)."""
    factor = _factor(upscale_factor, "upscale_factor")
    square = factor * factor
    channels, height, width = _image(self)
    if channels is not None:
        divisor = f"the square of upscale_factor, {square}"
        channels = divided(channels, square, f"the channels, axis -3 of the input {self.shape},", divisor)
    return _shuffled(self, (channels, _times(height, factor), _times(width, factor)))


@op("pixel_unshuffle")
def pixel_unshuffle(self: Tensor, downscale_factor: Size) -> Tensor:
    """(..., c, h * r, w * r) gives (..., c * r * r, h, w)."""
    factor = _factor(downscale_factor, "downscale_factor")
    channels, *sizes = _image(self)
    smaller = [
        None
        if size is None
        else divided(size, factor, f"axis {index} of the input {self.shape}", f"downscale_factor, {factor}")
        for index, size in enumerate(sizes, -2)
    ]
    return _shuffled(self, (_times(channels, factor * factor), *smaller))


def _times(size: Size | None, factor: Size) -> Size | None:
    return None if size is None else size * factor


def _factor(value: Any, name: str) -> Size:
    return settings(1, 1, name, value)[0]


def _image(self: Tensor) -> tuple[Size | None, ...]:
    shape = self.shape
    if shape.run is None and len(shape.head) < 3:
        raise ShapeError(f"the input has rank {shape.rank}, shape {shape}; at least 3 dimensions are due")
    return last(shape, 3)


def _shuffled(self: Tensor, made: Sequence[Size | None]) -> Tensor:
    shape = replaced(self.shape, [unknown(low=0) if size is None else size for size in made])
    return result(self, shape, kept(self, 0), self.dtype)


@op("channel_shuffle", "native_channel_shuffle")
def channel_shuffle(self: Tensor, groups: Size) -> Tensor:
    """(n, c, *sizes) keeps its shape; `groups` must divide c."""
    if self.rank is not None and self.rank < 3:
        raise ShapeError(f"the input has rank {self.rank}, shape {self.shape}; at least 3 dimensions are due")
    if at_least(groups, 1) is False:
        raise CallError(f"groups is {groups}: a positive number is due")
    channels = self.shape.at(1)
    if channels is not None:
        divided(channels, groups, f"the channels, axis 1 of the input {self.shape},", f"groups, {groups}")
    return result(self, self.shape, kept(self, 0), self.dtype)
