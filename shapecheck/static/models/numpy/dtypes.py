"""The dtypes of numpy: their names, and dtype promotion (https://numpy.org/neps/nep-0050-scalar-promotion.html)."""

from __future__ import annotations

from shapecheck.spec import Dim, DType
from shapecheck.spec.dtype import (
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.values import ExternalReference

_BY_NAME = {
    "bool": bool_,
    "bool_": bool_,
    "int": int64,
    "float": float64,
    "complex": complex128,
    "half": float16,
    "single": float32,
    "double": float64,
    "float_": float64,
    "int_": int64,
    "intp": int64,
    "longlong": int64,
    "ubyte": uint8,
    "byte": int8,
    **{
        one.name: one
        for one in (
            int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128,
        )
    },
    "f2": float16,
    "f4": float32,
    "f8": float64,
    "f": float32,
    "d": float64,
    "i4": int32,
    "i8": int64,
    "u1": uint8,
}  # fmt: skip
_FLOAT_BY_INTEGER_SIZE = {1: float16, 2: float32}
_KIND_ORDER = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 3}
_SIGNED_BY_SIZE = {1: int8, 2: int16, 4: int32, 8: int64}
_FLOAT_BY_SIZE = {2: float16, 4: float32, 8: float64}


def dtype_named(value: Value) -> DType | None:
    """The dtype that `np.float32`, `float` or "float32" refers to; None if unknown."""
    if isinstance(value, ExternalReference):
        prefix, _, name = value.name.rpartition(".")
        return _BY_NAME.get(name) if prefix in ("numpy", "builtins") else None
    return _BY_NAME.get(value.lstrip("<>=")) if isinstance(value, str) else None


def name_of(dtype: DType) -> ExternalReference:
    """The value of `array.dtype`."""
    return ExternalReference(f"numpy.{dtype.name}")


def inexact_dtype(dtype: DType | None) -> DType | None:
    """The result dtype of `sin`, `exp` and other floating-point functions."""
    if dtype is None or dtype.is_floating or dtype.is_complex:
        return dtype
    return _FLOAT_BY_INTEGER_SIZE.get(dtype.itemsize, float64)


def mean_dtype(dtype: DType | None) -> DType | None:
    """The result dtype of a mean or a true division."""
    return dtype if dtype is None or dtype.is_floating or dtype.is_complex else float64


def sum_dtype(dtype: DType | None) -> DType | None:
    """The result dtype of a sum: bools and integers are summed as 64-bit integers."""
    if dtype is None or dtype.is_floating or dtype.is_complex:
        return dtype
    return uint64 if dtype.kind == "unsigned" else int64


def promote_operands(array: ArraySpec, other: Value) -> DType | None:
    """The result dtype of arithmetic on an array and another array or a Python number; None if unknown."""
    if array.dtype is None:
        return None
    if not isinstance(other, ArraySpec):
        return _promote_number(array.dtype, other)
    if other.dtype is None:
        return None
    promoted = promote_dtypes(array.dtype, other.dtype)
    not_scalar = [one.dtype for one in (array, other) if one.shape.rank != 0]
    # Before numpy 2, a scalar did not widen an array.
    return promoted if len(not_scalar) != 1 or promoted is not_scalar[0] else None


def _promote_number(dtype: DType, number: Value) -> DType | None:
    """A Python number changes the dtype only if it is of a higher kind than the array."""
    if isinstance(number, bool):
        return dtype
    if isinstance(number, (int, Dim)):
        return int64 if dtype is bool_ else dtype
    if isinstance(number, float):
        return dtype if dtype.is_floating or dtype.is_complex else float64
    return None


def promote_dtypes(a: DType, b: DType) -> DType:
    """The dtype that two dtypes of arrays promote to."""
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda one: (_KIND_ORDER.get(one.kind, 9), one.itemsize))
    if low.kind == "bool":
        return high
    if low.kind == high.kind:
        return high
    if _KIND_ORDER.get(high.kind) == 1:
        return _promote_integers(low, high)
    if high.kind == "float":
        needed = {1: 2, 2: 4}.get(low.itemsize, 8)
        return _FLOAT_BY_SIZE[max(needed, high.itemsize)]
    return complex128 if max(low.itemsize, high.itemsize // 2) > 4 else complex64


def _promote_integers(a: DType, b: DType) -> DType:
    """The dtype that a signed and an unsigned integer promote to."""
    unsigned, signed = (a, b) if a.kind == "unsigned" else (b, a)
    if signed.itemsize > unsigned.itemsize:
        return signed
    return _SIGNED_BY_SIZE.get(unsigned.itemsize * 2, float64)
