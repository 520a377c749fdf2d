"""Operators that create a vector of evenly spaced numbers."""

from __future__ import annotations

from math import ceil, isfinite, lcm
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.rules.creation import dtype_of_value
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.factories import counted, dtype_given, made
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, DType, DTypeError, Shape, ShapeError, Size, TensorSpec, at_least, unknown
from shapecheck.spec.dtype import DEFAULT_COMPLEX, DEFAULT_FLOAT, int64
from shapecheck.spec.presentation import value_text

_FINEST = 1 << 20  # the finest fraction that is computed with symbolic sizes


@op("arange", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def arange(
    *bounds: object,
    start: object = None,
    end: object = None,
    step: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """arange(end), arange(start, end) and arange(start, end, step) give (ceil((end - start) / step),).

    The dtype is int64 if all of them are integers, the default float otherwise.
    """
    values = _bounds(bounds, start, end, step)
    wanted = dtype_given(dtype, _dtype_of(values) if dtype is None else None)
    if wanted is not None and wanted.kind in ("bool", "complex"):
        raise DTypeError(f"expected dtype to be an integer or floating-point dtype, got {wanted}")
    if wanted is int64:
        values = [int(value) if isinstance(value, float) and isfinite(value) else value for value in values]
    return made(Shape((_length(*values),)), wanted, device, layout=layout)


def _bounds(given: tuple[Any, ...], start: Any, end: Any, step: Any) -> list[Any]:
    """Start, end and step, in this order; a single value is the end."""
    places = [start, end, step]
    free = [1] if len(given) == 1 and end is None else [0] if len(given) == 1 else [0, 1, 2]
    if len(given) > len(free):
        raise CallError(f"takes at most 3 positional arguments (start, end, step) but {len(given)} were given")
    for place, value in zip(free, given, strict=False):
        if places[place] is not None:
            name = ("start", "end", "step")[place]
            raise CallError(f'got multiple values for argument "{name}"')
        places[place] = value
    if places[1] is None:
        raise CallError('missing 1 required positional argument: "end"')
    return [0 if places[0] is None else places[0], places[1], 1 if places[2] is None else places[2]]


def _dtype_of(values: list[Any]) -> DType | None:
    found = [dtype_of_value(value) for value in values]
    if DEFAULT_COMPLEX in found:
        raise DTypeError("expected real bounds, got a complex number")
    if DEFAULT_FLOAT in found:
        return DEFAULT_FLOAT
    return None if None in found else int64


def _length(start: Any, end: Any, step: Any) -> Size:
    """ceil((end - start) / step), aten/src/ATen/native/RangeUtils.h."""
    values = (start, end, step)
    if step == 0:
        raise CallError("expected step to be non-zero, got 0")
    if any(isinstance(value, (Unknown, TensorSpec)) for value in values):
        return unknown(low=0)
    if any(isinstance(value, float) and not isfinite(value) for value in values):
        raise CallError(f"expected finite bounds, got {value_text(start)} to {value_text(end)}")
    if any(isinstance(value, float) for value in values):
        if not any(isinstance(value, Dim) for value in values):
            _need_direction(end - start, step, values)
            return _ceil_of_quotient(end - start, step)
        scaled = _integers(values)
        if scaled is None:
            return unknown(low=0)
        start, end, step = scaled
    return _steps(end - start, step, values)


def _ceil_of_quotient(span: float, step: float) -> int:
    return ceil(span / step)


def _integers(values: tuple[Any, ...]) -> tuple[Size, ...] | None:
    """The bounds times their common denominator; None if they are too fine for exact arithmetic in floats."""
    ratios = [value.as_integer_ratio() if isinstance(value, float) else (value, 1) for value in values]
    scale = lcm(*(below for _, below in ratios))
    return None if scale > _FINEST else tuple(above * (scale // below) for above, below in ratios)


def _steps(span: Size, step: Size, values: tuple[Any, ...]) -> Size:
    forward = at_least(step, 1)
    if forward is None or (forward is False and at_least(-1, step) is not True):
        return unknown(low=0)
    _need_direction(span, step, values)
    if not forward:
        span, step = -span, -step
    return (span + step - 1) // step


def _need_direction(span: Any, step: Any, values: tuple[Any, ...]) -> None:
    """Raises ShapeError if the step is known to lead away from the end."""
    if isinstance(span, float) or isinstance(step, float):
        wrong = span * step < 0
    else:
        wrong = at_least(span, 0) is False if at_least(step, 1) else at_least(0, span) is False
    if wrong:
        raise ShapeError(
            f"the sign of the step does not match the bounds: from {value_text(values[0])} to {value_text(values[1])} "
            f"in steps of {value_text(values[2])}"
        )


@op("torch.range", "aten.range")
def range_(
    start: object = 0,
    end: object = None,
    step: object = 1,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """Both ends included: floor((end - start) / step) + 1 numbers; deprecated in favor of arange."""
    if end is None:
        start, end = 0, start
    for value in (start, end, step):
        dtype_of_value(value)
    if all(isinstance(value, (bool, int, float)) for value in (start, end, step)):
        length: Size = _inclusive(start, end, step)
    else:
        length = unknown(low=0)
    return made(Shape((length,)), dtype_given(dtype), device, layout=layout)


def _inclusive(start: Any, end: Any, step: Any) -> int:
    if step == 0:
        raise CallError("expected step to be non-zero, got 0")
    _need_direction(end - start, step, (start, end, step))
    return int((end - start) / step) + 1


@op("linspace", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def linspace(
    start: object,
    end: object,
    steps: object,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """(steps,), complex if start or end is and the default float otherwise, unless another dtype is given."""
    return _spaced(start, end, steps, dtype, device, layout)


@op("logspace", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def logspace(
    start: object,
    end: object,
    steps: object,
    base: object = 10.0,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """(steps,), complex if start or end is and the default float otherwise, unless another dtype is given."""
    return _spaced(start, end, steps, dtype, device, layout)


def _spaced(start: Any, end: Any, steps: Any, dtype: object, device: object, layout: object) -> Tensor:
    for what, value in (("start", start), ("end", end)):
        if isinstance(value, TensorSpec) and value.rank not in (0, None):
            raise ShapeError(f"expected {what} to be a number or a 0-D tensor, got shape {value.shape}")
    natural = _natural(start, end)
    wanted = dtype_given(dtype, natural)
    if natural is DEFAULT_COMPLEX and wanted is not None and not wanted.is_complex:
        raise DTypeError(f"expected dtype to be complex for complex bounds, got {wanted}")
    return made(Shape((counted(steps, "the number of steps"),)), wanted, device, layout=layout)


def _natural(start: Any, end: Any) -> DType | None:
    found = (dtype_of_value(start), dtype_of_value(end))
    if DEFAULT_COMPLEX in found:
        return DEFAULT_COMPLEX
    return None if None in found else DEFAULT_FLOAT
