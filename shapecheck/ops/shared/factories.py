"""Shared by operators that create a tensor from sizes, a dtype and a device."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shapecheck.ops.shared.arguments import size
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DType, NegativeSizeError, Shape, Size, TensorSpec, as_dtype, at_least, unknown
from shapecheck.spec.dtype import DEFAULT_FLOAT
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import numel


def shape_given(given: tuple[Any, ...], keyword: Any = None) -> Shape:
    """Sizes given as `f(2, 3)`, `f((2, 3))` or `f(size=(2, 3))`; a size that is unknown stays unknown in the shape.

    Raises CallError if one is not an int and NegativeSizeError if one is negative.
    """
    if keyword is not None:
        if given:
            raise CallError('got multiple values for argument "size"')
        return shape_of(keyword)
    if len(given) == 1:
        if isinstance(given[0], (tuple, list, Shape)):
            return shape_of(given[0])
        if isinstance(given[0], Unknown):  # one size or all of them
            return Shape.anything()
    elif not given:
        raise CallError('missing 1 required positional argument: "size"')
    return shape_of(given)


def shape_of(sizes: Iterable[Any]) -> Shape:
    """A shape of these sizes; raises CallError if one is not an int and NegativeSizeError if one is negative."""
    if isinstance(sizes, Unknown) or (isinstance(sizes, Shape) and sizes.run is not None):
        return Shape.anything() if isinstance(sizes, Unknown) else sizes
    given: object = sizes
    if isinstance(given, Iterable):
        return Shape(tuple(counted(one) for one in given))
    raise CallError(f"expected size to be a tuple of ints, got {value_text(given)}")


def counted(value: Any, what: str = "a size") -> Size:
    """A size, which must not be negative; an int in a tensor and an unknown one give an unknown size."""
    if isinstance(value, Unknown) and value.as_size is not None:
        return value.as_size
    if isinstance(value, Unknown) or _is_an_int_in_a_tensor(value):
        return unknown(low=0)
    if isinstance(value, (float, complex)):
        raise CallError(f"expected {what} to be an int, got {value_text(value)}")
    found = size(value)
    if found < 0 if type(found) is int else at_least(found, 0) is False:
        raise NegativeSizeError(f"expected {what} to be non-negative, got {value_text(found)}")
    return found


def _is_an_int_in_a_tensor(value: Any) -> bool:
    """Whether torch accepts it as an int: an integer tensor of one element."""
    if not isinstance(value, TensorSpec) or (
        value.dtype is not None and value.dtype.kind not in ("signed", "unsigned")
    ):
        return False
    return value.shape.run is not None or not isinstance(count := numel(value.dims), int) or count == 1


def dtype_given(dtype: Any, otherwise: DType | None = DEFAULT_FLOAT) -> DType | None:
    """The requested dtype: None if it is unknown, `otherwise` if none is given."""
    if dtype is None:
        return otherwise
    return None if isinstance(dtype, Unknown) else as_dtype(dtype)


def made(
    shape: Shape, dtype: DType | None, device: Any = None, like: TensorSpec | None = None, layout: Any = None
) -> TensorSpec:
    """A new tensor on the device of this name, or on that of `like`; contiguous unless a sparse layout is requested."""
    dense = layout in (None, "torch.strided", "strided")
    place = device if isinstance(device, str) else like.device if like is not None and device is None else None
    return TensorSpec.make(shape, dtype, "contiguous" if dense else "unknown", place)
