"""Dtypes of results, by dtype promotion."""

from __future__ import annotations

from typing import Any

from shapecheck.spec import Dim, DType, DTypeError, TensorSpec
from shapecheck.spec.dtype import DEFAULT_FLOAT, NUMBER, Category, dtype_of_number, int64, result_type


def need_same_dtype(*named: tuple[str, TensorSpec | None]) -> DType | None:
    """The dtype that all these tensors share; raises DTypeError if two known ones differ."""
    what, dtype = "", None
    for name, tensor in named:
        if tensor is None or tensor.dtype is None:
            continue
        if dtype is None:
            what, dtype = name, tensor.dtype
        elif dtype is not tensor.dtype:
            raise DTypeError(f"expected {what} and {name} to have the same dtype, got {dtype} and {tensor.dtype}")
    return dtype


def promoted(*operands: Any) -> DType | None:
    """The dtype that tensors and Python numbers promote to; None if that depends on an unknown dtype."""
    first = operands[0]
    if len(operands) == 2 and type(operands[1]) is TensorSpec is type(first):
        second = operands[1]
        if first.dtype is second.dtype and first.dtype is not None:
            return first.dtype
    return result_type([_operand_of(one) for one in operands])


def _operand_of(value: Any) -> tuple[DType | None, Category | None]:
    """A tensor or a number as `result_type` takes it."""
    if type(value) is TensorSpec:
        shape = value.shape
        if shape.head or shape.tail:
            return value.dtype, 0
        return value.dtype, (1 if shape.run is None else None)
    if isinstance(value, Dim):
        return int64, NUMBER
    return dtype_of_number(value), NUMBER


def floating(dtype: DType | None) -> DType | None:
    """The dtype of a function that converts ints and bools to floats (`sqrt`): the default float for them."""
    if dtype is None or dtype.is_floating or dtype.is_complex:
        return dtype
    return DEFAULT_FLOAT
