"""Shared by elementwise operators: accepted dtypes, broadcasting, and the layout of results.

The layout rules are TensorIterator's (aten/src/ATen/TensorIterator.cpp, `reorder_dimensions`): the first operand that
has the result's shape decides the order of the dimensions in memory.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from shapecheck.ops.shared.wording import one_of
from shapecheck.spec import CallError, Dim, DType, DTypeError, Layout, Shape, Size, TensorSpec, Unanswered
from shapecheck.spec.broadcast import broadcast_shapes
from shapecheck.spec.dtype import DEFAULT_FLOAT, bool_
from shapecheck.spec.presentation import value_text

Kinds = frozenset[str]
INTEGERS: Final = frozenset(("unsigned", "signed"))
BOOL: Final = frozenset(("bool",))
FLOATS: Final = frozenset(("float",))
COMPLEX: Final = frozenset(("complex",))
INTEGRAL: Final = INTEGERS | BOOL
NOTHING: Final[Kinds] = frozenset()

_NUMBERS = (bool, int, float, complex, Dim)


def accept(dtype: DType | None, refused: Kinds) -> DType | None:
    """The dtype itself; raises DTypeError if it is of a refused kind."""
    if dtype is not None and dtype.kind in refused:
        expected = [word for kinds, word in _WORDS if not kinds & refused]
        raise DTypeError(f"expected {one_of(expected)} dtype, got {dtype}")
    return dtype


_WORDS = ((BOOL, "bool"), (INTEGERS, "integer"), (FLOATS, "floating-point"), (COMPLEX, "complex"))


def floated(dtype: DType | None) -> DType | None:
    """The default float for bools and integers, every other dtype itself."""
    return DEFAULT_FLOAT if dtype is not None and dtype.kind in INTEGRAL else dtype


def boolean(_: DType | None) -> DType:
    """The dtype of a comparison, whatever is compared."""
    return bool_


def kept(x: TensorSpec, dtype: DType | None) -> TensorSpec:
    """A new tensor of the same shape and, where x has no gaps and no overlaps, with its strides."""
    layout = x.layout
    if layout == "contiguous" or layout == "channels_last":  # noqa: PLR1714 - the hot path
        return TensorSpec.make(x.shape, dtype, layout, x.device)
    layout, strides = _order((x,), x.shape)
    return TensorSpec.make(x.shape, dtype, layout, x.device, strides)


def unordered(x: TensorSpec) -> TensorSpec:
    """The result of an operator that keeps the order of a contiguous tensor only."""
    return x if x.layout == "contiguous" else x.with_layout("unknown")


def tensor(value: Any) -> TensorSpec:
    """The value, which must be a tensor; Unanswered for a number, which `math.sqrt` and `operator.neg` accept."""
    if type(value) is TensorSpec:
        return value
    if isinstance(value, _NUMBERS):
        raise Unanswered("the input is a number")
    raise CallError(f"expected a tensor, got {value_text(value)}")


def combined(dtype: DType | None, *operands: Any) -> TensorSpec:
    """The result of an operator on these tensors and numbers: their shapes broadcast."""
    tensors = [one for one in operands if type(one) is TensorSpec]
    if len(tensors) < 2:
        return kept(tensors[0] if tensors else _none_of(operands), dtype)
    first = tensors[0]
    shape = first.shape
    layout: Layout = first.layout
    for other in tensors[1:]:
        shape = broadcast_shapes(shape, other.shape)
        if other.layout != "contiguous":
            layout = "unknown"
    device = first.device if first.shape.least_rank or first.shape.run is not None else tensors[1].device
    if layout == "contiguous" and (shape is first.shape or _orderly(tensors, shape)):
        return TensorSpec.make(shape, dtype, layout, device)
    layout, strides = _order(tensors, shape)
    return TensorSpec.make(shape, dtype, layout, device, strides)


def _none_of(operands: tuple[Any, ...]) -> TensorSpec:
    for one in operands:
        tensor(one)
    raise Unanswered("no operand is known")


def _order(tensors: list[TensorSpec] | tuple[TensorSpec, ...], shape: Shape) -> tuple[Layout, tuple[Size, ...] | None]:
    if shape.run is None and len(shape.head) < 2:
        return "contiguous", None
    counted = [one for one in tensors if one.rank != 0]
    if all(one.layout == "contiguous" for one in counted):
        return ("contiguous" if _orderly(counted, shape) else "unknown"), None
    first = counted[0]
    if first.shape != shape:
        return "unknown", None
    if first.strides is not None and dense(first.dims, first.strides):
        return first.layout, first.strides
    return (first.layout if first.layout != "non-contiguous" else "unknown"), None


def _orderly(tensors: list[TensorSpec], shape: Shape) -> bool:
    # A dimension of size 1 may have any stride; if no operand has the whole shape, it can change the order of others.
    return 1 not in shape.head or any(one.shape == shape for one in tensors)


def dense(dims: tuple[Size, ...], strides: tuple[Size, ...]) -> bool:
    """Whether the elements have no gaps or overlaps in some order of the dimensions, as far as that is known."""
    left = [(size, stride) for size, stride in zip(dims, strides, strict=True) if size != 1]
    expected: Size = 1
    while left:
        for index, (size, stride) in enumerate(left):
            if stride == expected:
                expected = expected * size
                del left[index]
                break
        else:
            return False
    return True


_MOST: Final = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
    "uint8": 255,
    "int8": 127,
    "int16": 32767,
    "int32": 2147483647,
    "int64": 9223372036854775807,
}


def need_value(value: Any, dtype: DType | None) -> None:
    """Raises DTypeError if a number is too large for the dtype, or is infinite and the dtype has no infinity."""
    if isinstance(value, complex) and value.imag and dtype is not None and not dtype.is_complex:
        raise DTypeError(f"cannot convert the complex number {value_text(value)} to {dtype}")
    if dtype is None or dtype.name not in _MOST or not isinstance(value, (int, float)):
        return
    infinite = not isfinite(value)
    if (infinite and not dtype.is_floating) or (not infinite and abs(value) > _MOST[dtype.name] + (value < 0)):
        raise DTypeError(f"cannot convert {value_text(value)} to {dtype} without overflow")
