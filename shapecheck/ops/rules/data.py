"""Operators that create a tensor from Python data: nested lists, numbers, other tensors, arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.cast import cast
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.factories import counted, dtype_given, made, shape_given
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, DType, Shape, ShapeError, TensorSpec, as_dtype, same, unknown
from shapecheck.spec.dtype import DEFAULT_FLOAT, dtype_of_number, int64, promote
from shapecheck.spec.presentation import value_text

_DEEPEST = 128
_SEQUENCES = (list, tuple, range, Shape)


@op("tensor", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def tensor(
    data: object,
    *,
    dtype: object = None,
    device: object = None,
    requires_grad: object = False,
    pin_memory: object = False,
) -> Tensor:
    """The shape of nested lists; the dtype that their numbers promote to, unless another is given."""
    if isinstance(data, TensorSpec):
        return _converted(data, dtype, device, copy=True)
    return _read(data, dtype, device)


@op("as_tensor")
def as_tensor(data: object, dtype: object = None, device: object = None) -> Tensor:
    """A tensor in the given dtype; other data as `tensor` reads it."""
    if isinstance(data, TensorSpec):
        return _converted(data, dtype, device, copy=False)
    return _read(data, dtype, device)


@op("asarray")
def asarray(
    obj: object, *, dtype: object = None, device: object = None, copy: object = None, requires_grad: object = False
) -> Tensor:
    """A tensor in the given dtype; other data as `tensor` reads it."""
    return as_tensor(obj, dtype, device)


@op("from_numpy", "from_dlpack", "utils.dlpack.from_dlpack")
def from_numpy(array: object, *, device: object = None, copy: object = None) -> Tensor:
    """The array as a tensor."""
    return array if isinstance(array, TensorSpec) else TensorSpec.anything()


@op("frombuffer")
def frombuffer(
    buffer: object, *, dtype: object, count: object = -1, offset: object = 0, requires_grad: object = False
) -> Tensor:
    """(count,), or all elements of the buffer."""
    length = unknown(low=0) if count == -1 else counted(count, "count")
    return made(Shape((length,)), dtype_given(dtype))


@op("new_tensor")
def new_tensor(
    self: Tensor,
    data: object,
    *,
    dtype: object = None,
    device: object = None,
    requires_grad: object = False,
    layout: object = None,
    pin_memory: object = False,
) -> Tensor:
    """The data as `tensor` reads it, with x's dtype."""
    wanted = dtype_given(dtype, self.dtype)
    if isinstance(data, TensorSpec):
        return cast(data, wanted, copy=True)
    return made(shape_of_data(data), wanted, device, self)


def _converted(x: Tensor, dtype: Any, device: Any, copy: bool) -> Tensor:
    result = cast(x, dtype_given(dtype, x.dtype), copy=copy)
    if not isinstance(device, str) or device == result.device:
        return result
    return TensorSpec.make(result.shape, result.dtype, result.layout, device, result.strides)


def _read(data: Any, dtype: Any, device: Any) -> Tensor:
    if isinstance(data, (dict, set)):
        _refuse(data)
    shape, found = _described(data, 0)
    return made(shape, dtype_given(dtype, DEFAULT_FLOAT if found is _NONE else found), device)


def shape_of_data(data: Any) -> Shape:
    """The shape of nested lists."""
    return _described(data, 0)[0]


class _Nothing(DType):
    """The dtype of an empty list; combined with another dtype, it yields the other."""


_NONE = _Nothing("none", "bool", 0)


def _described(data: Any, depth: int) -> tuple[Shape, DType | None]:
    """The shape and the dtype of data; the dtype `_NONE` of no data at all, None where it is unknown."""
    if depth > _DEEPEST:
        raise ShapeError(f"too many dimensions: the lists are nested more than {_DEEPEST} deep")
    if isinstance(data, Shape) and data.run is not None:
        return Shape((unknown(low=0),)), int64
    if isinstance(data, _SEQUENCES):
        return _of_items(list(data), depth)
    if isinstance(data, TensorSpec):
        return _one_number(data)
    if isinstance(data, Dim):
        return Shape(), int64
    if isinstance(data, (bool, int, float, complex)):
        return Shape(), dtype_of_number(data)
    if data is None or isinstance(data, (str, bytes, dict, set)):
        _refuse(data)
    return Shape.anything(), None


def _refuse(data: Any) -> NoReturn:
    raise CallError(f"cannot infer a dtype: expected numbers or nested lists of numbers, got {value_text(data)}")


def _one_number(data: Tensor) -> tuple[Shape, DType | None]:
    """A tensor within a list, which torch reads as a number."""
    if any(same(size, 1) is False for size in (*data.shape.head, *data.shape.tail)):
        raise ShapeError(
            f"expected tensors with one element in the list, got shape {data.shape}; use torch.stack to join tensors"
        )
    return Shape(), data.dtype


def _of_items(items: Sequence[Any], depth: int) -> tuple[Shape, DType | None]:
    if not items:
        return Shape((0,)), _NONE
    inner, dtype = _described(items[0], depth + 1)
    plain = type(items[0])
    for item in items[1:]:
        if type(item) is plain and plain in (int, float, bool):
            continue
        shape, other = _described(item, depth + 1)
        inner = _agreed(inner, shape, depth + 1)
        dtype = _joined(dtype, other)
    return Shape((len(items), *inner.head), inner.run, inner.tail), dtype


def _agreed(first: Shape, other: Shape, depth: int) -> Shape:
    if first.run is not None or other.run is not None:
        return first if other.run is not None else other
    if len(first.head) != len(other.head) or any(
        same(a, b) is False for a, b in zip(first.head, other.head, strict=True)
    ):
        raise ShapeError(f"ragged nested lists: expected shape {first} in dimension {depth}, got {other}")
    return first


def _joined(first: DType | None, other: DType | None) -> DType | None:
    if first is None or other is None:
        return None
    if first is _NONE or other is _NONE:
        return other if first is _NONE else first
    return promote(first, other)


_TYPES = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Long": "int64",
    "Int": "int32",
    "Short": "int16",
    "Char": "int8",
    "Byte": "uint8",
    "Bool": "bool",
}


def _constructor(dtype: DType) -> Callable[..., Tensor]:
    def rule(
        *args: object, device: object = None, size: object = None, data: object = None, other: object = None
    ) -> Tensor:
        """Sizes one by one, or data in a list, or another tensor."""
        return _legacy(args, dtype, None, {"size": size, "data": data, "other": other})

    return rule


def _legacy(args: tuple[Any, ...], dtype: DType | None, like: Tensor | None, named: Mapping[str, object]) -> Tensor:
    """The tensor for positional arguments, or for one by keyword: `size` is a shape, the others are data."""
    given = {name: value for name, value in named.items() if value is not None}
    if len(given) > 1 or (given and args):
        raise CallError(f"expected {next(iter(given))} to be the only argument besides device")
    if isinstance(size := given.get("size"), (int, float)):
        raise CallError(f"expected size to be a sequence of integers, got {value_text(size)}")
    if size is not None:
        return made(shape_given((size,)), dtype, like=like)
    args = args or tuple(given.values())
    if len(args) != 1:
        return made(shape_given(args) if args else Shape((0,)), dtype, like=like)
    return _of_one(args[0], dtype, like)


def _of_one(data: Any, dtype: DType | None, like: Tensor | None) -> Tensor:
    """The tensor for one argument: data, another tensor, or the only size."""
    if isinstance(data, TensorSpec):
        return data
    if isinstance(data, Unknown):
        return TensorSpec.anything(dtype)
    if isinstance(data, tuple) and all(isinstance(one, (int, Dim)) for one in data):
        return TensorSpec.anything(dtype)  # a torch.Size is a shape, any other tuple is data
    if isinstance(data, (list, tuple, range)):
        return made(shape_of_data(data), dtype, like=like)
    if isinstance(data, float):
        raise CallError(f"expected a sequence, got {data}")
    return made(shape_given((data,)), dtype, like=like)


register(_constructor(DEFAULT_FLOAT), "Tensor")
for _word, _dtype in _TYPES.items():
    register(_constructor(as_dtype(_dtype)), f"{_word}Tensor", f"cuda.{_word}Tensor")


@op("Tensor.new")
def new(
    self: Tensor,
    *args: object,
    device: object = None,
    size: object = None,
    data: object = None,
    other: object = None,
) -> Tensor:
    """The tensor that the constructor of x's type returns for sizes or data."""
    return _legacy(args, self.dtype, self, {"size": size, "data": data, "other": other})
