"""Operators that change a tensor's dtype or device but not its shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Number, Tensor
from shapecheck.ops.shared.elementwise import combined, kept, tensor, unordered
from shapecheck.ops.traits import NO_TRAITS, Trait
from shapecheck.ops.unknown import Other, Unknown
from shapecheck.ops.variants import fitted
from shapecheck.spec import CallError, DeviceMark, Dim, DType, DTypeError, ShapeError, as_dtype
from shapecheck.spec.presentation import value_text

_METHODS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
_TYPES = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Long": "int64",
    "Int": "int32",
}
_TYPES |= {"Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool"}


def _method(dtype: DType) -> Callable[..., Tensor]:
    def rule(input: Tensor, memory_format: object = None) -> Tensor:
        return cast(tensor(input), dtype, memory_format)

    return rule


_TRAITS = dict.fromkeys(("half", "float", "double"), Trait.KEEPS_AXES) | dict.fromkeys(
    ("int", "long"), Trait.KEEPS_MAXIMUM
)

for _name, _dtype in _METHODS.items():
    register(_method(as_dtype(_dtype)), _name, traits=_TRAITS.get(_name, NO_TRAITS))


_RANKS = {"channels_last": 4, "channels_last_3d": 5}


def cast(x: Tensor, dtype: DType | None, memory_format: object = None, copy: object = False) -> Tensor:
    """x in another dtype: x itself if it already has it, otherwise a new tensor."""
    wanted = memory_format.removeprefix("torch.") if isinstance(memory_format, str) else "preserve_format"
    moved = dtype is None or dtype is not x.dtype or copy is not False
    if wanted in _RANKS:
        if x.rank not in (None, _RANKS[wanted]):
            raise ShapeError(f"expected a {_RANKS[wanted]}-D input for torch.{wanted}, got shape {x.shape}")
        return kept(x, dtype).with_layout("channels_last")
    if wanted == "contiguous_format":
        return kept(x, dtype).with_layout("contiguous") if moved else unordered(x)
    return kept(x, dtype) if moved else x


@op("to", "aten.to", "aten._to_copy", traits=Trait.KEEPS_MAXIMUM)
def to(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Keeps the shape; the dtype and the device are given by name, by keyword or by another tensor."""
    x = tensor(input)
    target = _Target(x)
    copy = kwargs.pop("copy", False)
    memory_format = kwargs.pop("memory_format", None)
    for one in args:
        target.take(one)
    for name in ("dtype", "device", "other", "tensor"):
        target.take(kwargs.pop(name, None))
    result = cast(x, target.dtype, memory_format, copy)
    if target.device == result.device:
        return result
    return Tensor.make(result.shape, result.dtype, result.layout, target.device, result.strides)


class _Target:
    """The dtype and the device that the arguments of `to` request."""

    __slots__ = ("device", "dtype")

    def __init__(self, x: Tensor) -> None:
        self.dtype: DType | None = x.dtype
        self.device: str | DeviceMark | None = x.device

    def take(self, value: Any) -> None:
        """One argument: a dtype, a device, a tensor, or a flag, which changes nothing."""
        if isinstance(value, Tensor):
            self.dtype, self.device = value.dtype, value.device
        elif isinstance(value, DType) or value in (float, int, bool, complex):
            self.dtype = as_dtype(value)
        elif isinstance(value, str):
            self._named(value)
        elif isinstance(value, (Unknown, Dim)):  # a size represents any argument that is annotated as an int
            self.dtype = self.device = None
        elif value == Other("device"):
            self.device = None
        elif value is not None and not isinstance(value, (bool, int)):
            raise CallError(f"expected a dtype, a device or a tensor, got {value_text(value)}")

    def _named(self, name: str) -> None:
        try:
            self.dtype = as_dtype(name)
        except DTypeError:
            self.device = name


@op("type")
def type_(input: Tensor, dtype: Any | Unknown = None, non_blocking: object = False) -> Tensor | str | Unknown:
    """The tensor in another dtype; without a dtype, the name of its type."""
    x = tensor(input)
    if dtype is None:
        return _type_name(x)
    if isinstance(dtype, Unknown):
        return kept(x, None)
    return cast(x, _dtype_of_type(dtype) if isinstance(dtype, str) else as_dtype(dtype))


def _type_name(x: Tensor) -> str | Unknown:
    for word, name in _TYPES.items():
        if x.dtype is not None and x.dtype.name == name and x.device in ("cpu", None):
            return f"torch.{word}Tensor"
    return Unknown("unknown type name")


def _dtype_of_type(name: str) -> DType:
    word = name.rpartition(".")[2].removesuffix("Tensor")
    return as_dtype(_TYPES.get(word, name))


@op("type_as")
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor in the other's dtype."""
    x = tensor(input)
    return cast(x, tensor(other).dtype)


@op("copy_")
def copy_(input: Tensor, src: Tensor | Number, non_blocking: object = False) -> Tensor:
    """The input; the source must broadcast to its shape and may have any dtype."""
    if isinstance(src, Tensor):
        fill_shape(input, src)
    return input


@op("aten.copy")
def copy(input: Tensor, src: Tensor | Number, non_blocking: object = False) -> Tensor:
    """The same, as a new tensor."""
    return kept(copy_(input, src), input.dtype)


def fill_shape(into: Tensor, src: Tensor) -> None:
    """Raises ShapeError if a tensor does not broadcast to the shape of the tensor it is written into."""
    fitted(into, combined(into.dtype, into, src))
