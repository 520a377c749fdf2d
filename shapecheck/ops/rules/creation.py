"""Operators that create a tensor of given sizes (zeros, full, eye, empty), and their `_like` variants."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.cast import cast
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.factories import counted, dtype_given, made, shape_given, shape_of
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, DType, DTypeError, Shape, ShapeError, TensorSpec
from shapecheck.spec.dtype import DEFAULT_COMPLEX, DEFAULT_FLOAT, bool_, dtype_of_number, int64
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import Strides, laid_out, numel


def _filled(
    *shape: object,
    size: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    memory_format: object = None,
    names: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """f(2, 3) or f((2, 3)) gives (2, 3), of the default float dtype unless another is given."""
    result = made(shape_given(shape, size), dtype_given(dtype), device, layout=layout)
    return result if memory_format is None else cast(result, result.dtype, memory_format, copy=True)


for _name in ("zeros", "ones", "empty"):
    register(_filled, _name, traits=Trait.NEW_ON_DEFAULT_DEVICE | Trait.TAKES_SIZES)


@op("full", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def full(
    size: object,
    fill_value: object,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    names: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """full((2, 3), value) gives (2, 3), of the dtype that corresponds to the Python number."""
    of_value = dtype_of_value(fill_value) if dtype is None else None
    return made(shape_of(size), dtype_given(dtype, of_value), device, layout=layout)  # type: ignore[arg-type]  # checked there


def dtype_of_value(value: Any) -> DType | None:
    """int64, the default float, complex or bool for a number or for one in a tensor; None where that is unknown.

    Raises CallError for any other value.
    """
    if isinstance(value, TensorSpec):
        need_number(value)
        return None if value.dtype is None else _of_python(value.dtype)
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Dim):
        return int64
    if not isinstance(value, (bool, int, float, complex)):
        raise CallError(f"expected a number, got {value_text(value)}")
    return dtype_of_number(value)


def _of_python(dtype: DType) -> DType:
    return {"float": DEFAULT_FLOAT, "complex": DEFAULT_COMPLEX, "bool": bool_}.get(dtype.kind, int64)


def need_number(value: TensorSpec) -> None:
    """Raises CallError if a tensor that is passed as a number is not 0-D."""
    if value.rank not in (0, None):
        raise CallError(f"expected a number, got {value_text(value)}")


def _like(
    input: Tensor,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
    memory_format: object = None,
) -> Tensor:
    """The shape, the dtype and, if it has no gaps, the layout of the input."""
    return patterned(input, dtype_given(dtype, input.dtype), device, memory_format)


def patterned(input: Tensor, dtype: DType | None, device: object, memory_format: object) -> Tensor:
    """A new tensor of the input's shape."""
    result = cast(input, dtype, memory_format, copy=True)
    if not isinstance(device, str) or device == input.device:
        return result
    return Tensor.make(result.shape, result.dtype, result.layout, device, result.strides)


for _name in ("zeros_like", "ones_like", "empty_like"):
    register(_like, _name, traits=Trait.TENSOR_FIRST)


@op("full_like", traits=Trait.TENSOR_FIRST)
def full_like(
    input: Tensor,
    fill_value: object,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
    memory_format: object = None,
) -> Tensor:
    """The shape and dtype of the input, independent of the value."""
    dtype_of_value(fill_value)
    return patterned(input, dtype_given(dtype, input.dtype), device, memory_format)


def _new(
    self: Tensor,
    *shape: object,
    size: object = None,
    dtype: object = None,
    device: object = None,
    requires_grad: object = False,
    layout: object = None,
    pin_memory: object = False,
) -> Tensor:
    """x.f(2, 3) or x.f((2, 3)) gives (2, 3) of x's dtype."""
    return made(shape_given(shape, size), dtype_given(dtype, self.dtype), device, self, layout)


for _name in ("new_zeros", "new_ones", "new_empty"):
    register(_new, _name, traits=Trait.TAKES_SIZES)


@op("new_full")
def new_full(
    self: Tensor,
    size: object,
    fill_value: object,
    *,
    dtype: object = None,
    device: object = None,
    requires_grad: object = False,
    layout: object = None,
    pin_memory: object = False,
) -> Tensor:
    """x.new_full((2, 3), value) gives (2, 3) of x's dtype."""
    dtype_of_value(fill_value)
    return made(shape_of(size), dtype_given(dtype, self.dtype), device, self, layout)  # type: ignore[arg-type]  # checked there


@op("eye", traits=Trait.NEW_ON_DEFAULT_DEVICE | Trait.FOR_BROADCASTING)
def eye(
    n: object,
    m: object = None,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """(n, m), where m defaults to n."""
    rows = counted(n, "n")
    columns = rows if m is None else counted(m, "m")
    return made(Shape((rows, columns)), dtype_given(dtype), device, layout=layout)


@op("empty_strided")
def empty_strided(
    size: object,
    stride: object,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    requires_grad: object = False,
    pin_memory: object = False,
) -> Tensor:
    """A tensor of these sizes and strides."""
    return _strided(made(_shape(size), dtype_given(dtype), device), stride)


@op("new_empty_strided")
def new_empty_strided(
    self: Tensor,
    size: object,
    stride: object,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """A tensor of these sizes and strides, with x's dtype."""
    return _strided(made(_shape(size), dtype_given(dtype, self.dtype), device, self), stride)


def _shape(size: Any) -> Shape:
    return shape_of(size)


def _strided(result: Tensor, stride: Any) -> Tensor:
    strides = _shape(stride)
    if strides.run is not None or result.shape.run is not None:
        return result.with_layout("unknown")
    if len(strides) != len(result.dims):
        raise ShapeError(f"expected size and stride to have the same length, got {result.shape} and {strides}")
    return laid_out(result, result.dims, strides.dims)


@op("empty_permuted")
def empty_permuted(
    size: object,
    physical_layout: object,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    requires_grad: object = False,
    pin_memory: object = False,
) -> Tensor:
    """A tensor of these sizes whose dimensions are in this order in memory, the outermost first."""
    result = made(_shape(size), dtype_given(dtype), device)
    if not isinstance(physical_layout, (tuple, list)) or result.shape.run is not None:
        return result.with_layout("unknown")
    _need_permutation(tuple(physical_layout), len(result.dims))
    return laid_out(result, result.dims, _permuted(result.dims, tuple(physical_layout)))


def _need_permutation(order: tuple[Any, ...], rank: int) -> None:
    if len(order) != rank:
        raise ShapeError(f"expected physical_layout to have length {rank}, got {value_text(order)}")
    for place, one in enumerate(order):
        if isinstance(one, int) and not 0 <= one < rank:
            raise ShapeError(f"dimension out of range in physical_layout: expected 0 to {rank - 1}, got {one}")
        if one in order[:place]:
            raise ShapeError(f"expected unique dimensions in physical_layout, got {value_text(order)}")


def _permuted(dims: Strides, order: tuple[int, ...]) -> Strides:
    strides = list(dims)
    for place, one in enumerate(order):
        strides[one] = numel(size for size in (dims[inner] for inner in order[place + 1 :]) if size != 0)
    return tuple(strides)


@op("scalar_tensor")
def scalar_tensor(
    s: object,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """A 0-D tensor, of the default float dtype unless another is given."""
    wanted = dtype_given(dtype, DEFAULT_FLOAT)
    if dtype_of_value(s) is DEFAULT_COMPLEX and wanted is not None and not wanted.is_complex:
        raise DTypeError(f"cannot convert a complex number to {wanted}")
    return made(Shape(), wanted, device)
