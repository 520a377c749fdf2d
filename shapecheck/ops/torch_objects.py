"""Converts torch's own objects in the arguments of a call: tensors, dtypes, sizes, devices, layouts, generators.

Torch is not imported: if no one has imported it, no argument is an object of torch.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from shapecheck.ops.unknown import Other, Unknown
from shapecheck.spec import Dim, DType, DTypeError, Layout, Shape, Size, TensorSpec, as_dtype, unknown
from shapecheck.spec.presentation import value_text

_OWN = frozenset((TensorSpec, Dim, DType, Unknown, Other, Shape, int, float, bool, str, type(None)))


def converted(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call with specifications in place of torch's objects."""
    if "torch" not in sys.modules:
        return args, kwargs
    if not all(type(one) in _OWN for one in args):
        args = tuple(map(_converted, args))
    if kwargs and not all(type(one) in _OWN for one in kwargs.values()):
        kwargs = {name: _converted(one) for name, one in kwargs.items()}
    return args, kwargs


def _converted(value: Any) -> Any:
    if type(value) in _OWN:
        return value
    if type(value) in (list, tuple):
        return type(value)(map(_converted, value))
    if type(value) is dict:
        return {key: _converted(one) for key, one in value.items()}
    if type(value) is slice:
        return slice(_converted(value.start), _converted(value.stop), _converted(value.step))
    torch = sys.modules["torch"]
    for name, rule in _RULES.items():
        kind = getattr(torch, name, None)
        if isinstance(kind, type) and isinstance(value, kind):
            return rule(value)
    return value


def _dtype(value: Any) -> DType | Unknown:
    try:
        return as_dtype(value)
    except DTypeError:
        return Unknown(f"{value_text(value)}, which has no rules")


def _size(value: Any) -> Size:
    """A size: torch's own symbolic ones are unknown."""
    return value if type(value) is int else unknown(low=0)


def spec_of(tensor: Any) -> TensorSpec:
    """The specification of a tensor of torch: with data, on the meta device, or fake."""
    dtype = _dtype(tensor.dtype)
    known = None if isinstance(dtype, Unknown) else dtype
    if tensor.is_nested:
        return TensorSpec.anything(known)
    dims = tuple(map(_size, tensor.shape))
    layout, strides = _layout_of(tensor, dims)
    return TensorSpec.make(Shape(dims), known, layout, str(tensor.device), strides)


def _layout_of(tensor: Any, dims: tuple[Size, ...]) -> tuple[Layout, tuple[int, ...] | None]:
    torch: Any = sys.modules["torch"]
    if tensor.layout is not torch.strided or not all(type(one) is int for one in dims):
        return "unknown", None
    if tensor.is_contiguous():
        return "contiguous", None
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    if len(dims) in formats and tensor.is_contiguous(memory_format=formats[len(dims)]):
        return "channels_last", None
    return "non-contiguous", tuple(tensor.stride())


_RULES: Mapping[str, Any] = {
    "dtype": _dtype,
    "Tensor": spec_of,
    "Size": lambda value: tuple(map(_size, value)),
    "SymInt": _size,
    "device": str,
    "layout": str,
    "memory_format": str,
    "Generator": lambda _: Other("generator"),
}
"""From the name of a class of torch to the conversion of its objects."""
