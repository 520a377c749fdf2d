"""Resizing images: interpolate and the upsample operators.

The formulas are those of torch.nn.Upsample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.adaptive_pool import adaptive_pool
from shapecheck.ops.shared.arguments import Number, Tensor, fresh_shape, sizes
from shapecheck.ops.shared.windows import SizesOrUnknown, kept, known, need_content, need_room, result, scaled
from shapecheck.ops.shared.wording import any_of, number_of
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.spec.dtype import uint8
from shapecheck.spec.presentation import quoted, value_text

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
    _need_dtype(input, mode in ("linear", "trilinear"))
    return resized(input, shape, count, _made(shape, count, size, scale_factor))


@op("upsample")
def upsample(
    input: Tensor,
    size: SizesOrUnknown | None = None,
    scale_factor: FactorsOrUnknown = None,
    mode: str = "nearest",
    align_corners: object = None,
) -> Tensor:
    """The deprecated name of `interpolate`."""
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
        raise CallError(f"expected mode to be one of {', '.join(map(quoted, _COUNTS))}, got {value_text(mode)}")
    if isinstance(align_corners, bool) and mode in ("nearest", "nearest-exact", "area"):
        raise CallError(f"align_corners requires a linear or bicubic mode, got mode={quoted(mode)}")
    if mode == "lanczos" and (align_corners is True or not antialias):
        raise CallError('mode="lanczos" requires antialias=True and does not support align_corners=True')
    if antialias and mode not in ("bilinear", "bicubic", "lanczos"):
        raise CallError(f'antialias requires mode to be "bilinear", "bicubic" or "lanczos", got {quoted(mode)}')
    if recompute is True and size is not None and type(size) is not Unknown:
        raise CallError("recompute_scale_factor cannot be used with size")


def _need_dtype(input: Tensor, only_floats: bool = False) -> None:
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating and (only_floats or dtype is not uint8):
        raise DTypeError(f"expected a floating-point dtype, got {dtype}")


def _count(input: Tensor, mode: str, given: Any) -> int | None:
    """How many dimensions are resized, None if that is unknown."""
    allowed = _COUNTS[mode]
    rank = input.rank
    if rank is None:
        count = len(given) if isinstance(given, (tuple, list)) else None
        if count is None:
            return allowed[0] if len(allowed) == 1 else None
    else:
        count = rank - 2
        if isinstance(given, (tuple, list)) and len(given) != count:
            expected = (
                f"expected {number_of(count, 'value')} in size or scale_factor for an input of shape {input.shape}"
            )
            raise CallError(f"{expected}, got {len(given)}")
    if count not in allowed:
        expected = any_of([f"{one + 2}-D" for one in allowed])
        raise ShapeError(f"expected a {expected} input for mode={quoted(mode)}, got shape {input.shape}")
    return count


def _one_of(size: Any, scale_factor: Any) -> tuple[Any, Any]:
    """Size and scale factor, one of them None; an unknown one is None if the other is given."""
    if type(size) is Unknown and scale_factor is not None:
        return (size, None) if type(scale_factor) is Unknown else (None, scale_factor)
    if type(scale_factor) is Unknown and size is not None:
        return size, None
    if (size is None) is (scale_factor is None):
        raise CallError(f"expected either size or scale_factor, got {'both' if size is not None else 'neither'}")
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
    """The result if neither the input's rank nor the mode determines how many dimensions are resized."""
    head, run, tail = input.shape.head, input.shape.run, input.shape.tail
    if len(head) < 2:
        return result(input, Shape.anything(), "unknown", input.dtype)

    def made(had: Size) -> Size:
        return _size(size) if factor is None else scaled(had, factor)

    shape = Shape((*head[:2], *map(made, head[2:])), VariadicAxes() if run is None else run, tuple(map(made, tail)))
    if tail or len(head) > 2 or run is None:
        return result(input, shape, "unknown", input.dtype)
    return result(
        input, Shape(head, VariadicAxes(), (_size(size) if factor is None else unknown(low=1),)), "unknown", input.dtype
    )


def _upsample_rule(count: int, only_floats: bool) -> Callable[..., Tensor]:
    def rule(self: Tensor, output_size: Any, *scales: Any, **named: Any) -> Tensor:
        _need_dtype(self, only_floats)
        shape = Shape(known(self.shape, count + 2, "the input"))
        factors = named.get("scale_factors") or next((one for one in scales if isinstance(one, (tuple, list))), None)
        if (output_size is None) is (factors is None):
            raise CallError(
                f"expected either output_size or scale_factors, got {'neither' if factors is None else 'both'}"
            )
        given = output_size if factors is None else factors
        if not isinstance(given, (tuple, list)) or len(given) != count:
            raise CallError(f"expected output_size to have {number_of(count, 'element')}, got {value_text(given)}")
        return resized(self, shape, count, _made(shape, count, output_size, factors))

    return rule


def _upsample_gradient(
    grad_output: Tensor, output_size: object, input_size: Sequence[Size], *more: Any, **named: Any
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
