"""Elementwise operators on two tensors, or a tensor and a number: shapes broadcast, dtypes promote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from shapecheck.ops.registry import TABLE, op, register
from shapecheck.ops.shared.arguments import Number, Tensor
from shapecheck.ops.shared.dtypes import need_same_dtype, promoted
from shapecheck.ops.shared.elementwise import (
    BOOL,
    COMPLEX,
    FLOATS,
    INTEGRAL,
    NOTHING,
    Kinds,
    accept,
    boolean,
    combined,
    floated,
    kept,
    tensor,
)
from shapecheck.ops.traits import NO_TRAITS, Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.ops.variants import fitted
from shapecheck.spec import CallError, Dim, DType, DTypeError, TensorSpec, Unanswered
from shapecheck.spec import same as same_size
from shapecheck.spec.dtype import bool_, complex128, float64
from shapecheck.spec.presentation import value_text

Value: TypeAlias = Tensor | Number
DTypeRule = Callable[["DType | None"], "DType | None"]
Rule = Callable[[Value, Value], Tensor]
ANY, FIRST, BOTH = "at least one operand to be a tensor", "input to be a tensor", "both operands to be tensors"
EITHER, NUMBERS = "either", ""
"""Which operands must be tensors. EITHER: none. NUMBERS: none, and all values can be compared, as in Python."""


def binary(dtype_of: DTypeRule | None, refused: Kinds, tensors: str = ANY) -> Rule:
    """The rule of an operator on two values.

    dtype_of: from the promoted dtype to the dtype of the result. refused: the kinds of dtype that it does not support.
    tensors: which operands must be tensors.
    """

    def rule(input: Tensor | Number, other: Tensor | Number) -> Tensor:
        if type(input) is not TensorSpec or type(other) is not TensorSpec:
            _need_tensors(tensors, input, other)
        dtype = promoted(input, other)
        if dtype is not None:
            if dtype.kind in refused:
                accept(dtype, refused)
            if dtype_of is not None:
                dtype = dtype_of(dtype)
        elif dtype_of is boolean:
            dtype = bool_
        return combined(dtype, input, other)

    return rule


def _need_tensors(tensors: str, *operands: Value) -> None:
    given = [type(one) is TensorSpec for one in operands]
    for value in operands:
        if not isinstance(value, _VALUES):
            if tensors == NUMBERS or not (value is None or isinstance(value, _NO_VALUES)):
                raise Unanswered(f"operand of type {type(value).__name__}")
            raise CallError(f"expected a tensor or a number, got {value_text(value)}")
    if tensors == BOTH or (tensors == FIRST and not given[0]) or (tensors == ANY and not any(given)):
        raise CallError(f"expected {tensors}, got {' and '.join(map(value_text, operands))}")


_VALUES = (TensorSpec, bool, int, float, complex, Dim)
_NO_VALUES = (str, bytes, list, tuple, dict, set)

_TABLE: tuple[tuple[DTypeRule | None, Kinds, str, str], ...] = (
    (None, NOTHING, EITHER, "mul/multiply"),
    (None, COMPLEX, EITHER, "floor_divide"),
    (None, COMPLEX, ANY, "remainder"),
    (None, COMPLEX, FIRST, "fmod"),
    (None, COMPLEX, BOTH, "maximum minimum fmax fmin"),
    (floated, COMPLEX, ANY, "xlogy/special.xlogy"),
    (floated, COMPLEX, FIRST, "copysign"),
    (floated, COMPLEX, BOTH, "atan2/arctan2"),
    (floated, NOTHING, BOTH, "ldexp"),
    (None, FLOATS | COMPLEX, ANY, "bitwise_and/operator.and_ bitwise_or/operator.or_ bitwise_xor"),
    (None, FLOATS | COMPLEX | BOOL, ANY, "bitwise_left_shift bitwise_right_shift"),
    (None, FLOATS | COMPLEX | BOOL, BOTH, "gcd lcm"),
    (None, INTEGRAL | COMPLEX, BOTH, "hypot nextafter logaddexp2 igamma/special.gammainc igammac/special.gammaincc"),
    (None, INTEGRAL, BOTH, "logaddexp"),
    (boolean, NOTHING, BOTH, "logical_and logical_or logical_xor"),
    (boolean, NOTHING, FIRST, "eq ne/not_equal"),
    (boolean, COMPLEX, FIRST, "lt/less le/less_equal gt/greater ge/greater_equal"),
)
_SHARED = (
    "lt",
    "le",
    "gt",
    "ge",
    "atan2",
    "copysign",
    "fmod",
    "gcd",
    "lcm",
    "hypot",
    "ldexp",
    "nextafter",
    "remainder",
)
_OF_PYTHON: dict[str, tuple[str, ...]] = {name: (f"operator.{name}",) for name in _SHARED}
_OF_PYTHON |= {name: (f"operator.{name}", f"__{name}__") for name in ("eq", "ne")}
"""Names that `operator` and `math` share with torch; they also accept numbers (`3 < x`, `x == None`)."""

_COMPARISON = Trait.ONE_DEVICE | Trait.NUMBER_OPERANDS
_TRAITS = {
    "mul": Trait.ONE_DEVICE | Trait.NUMBER_OPERANDS | Trait.PROMOTES_DTYPES,
    **dict.fromkeys(("floor_divide", "remainder"), Trait.ONE_DEVICE | Trait.NUMBER_OPERANDS),
    **dict.fromkeys(("maximum", "minimum"), Trait.ONE_DEVICE | Trait.PROMOTES_DTYPES),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), Trait.ONE_DEVICE),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _COMPARISON),
}

for _dtype_of, _refused, _tensors, _line in _TABLE:
    for _names in _line.split():
        _name, *_others = _names.split("/")
        _traits = _TRAITS.get(_name, NO_TRAITS) | Trait.PAIRS
        register(binary(_dtype_of, _refused, _tensors), _name, *_others, traits=_traits)
        if _name in _OF_PYTHON:
            register(binary(_dtype_of, _refused, NUMBERS), *_OF_PYTHON[_name], traits=_traits)
            TABLE[_OF_PYTHON[_name][0]].name = _name  # as messages call it


@op("add", traits=Trait.NUMBER_OPERANDS | Trait.ONE_DEVICE | Trait.SUM | Trait.PROMOTES_DTYPES)
def add(input: Tensor | Number, other: Tensor | Number, *, alpha: object = 1) -> Tensor:
    """The shapes broadcast, the dtypes promote."""
    if type(input) is not TensorSpec or type(other) is not TensorSpec:
        _need_tensors(EITHER, input, other)
    dtype = promoted(input, other)
    if alpha != 1:
        _need_alpha(alpha, dtype)
    return combined(dtype, input, other)


@op("sub", "subtract", traits=Trait.NUMBER_OPERANDS | Trait.ONE_DEVICE | Trait.SUM | Trait.PROMOTES_DTYPES)
def sub(input: Tensor | Number, other: Tensor | Number, *, alpha: object = 1) -> Tensor:
    """As `add`, without support for bool."""
    _refuse_bool(input)
    _refuse_bool(other)
    return add(input, other, alpha=alpha)


@op("rsub", traits=Trait.PAIRS)
def rsub(input: Tensor | Number, other: Tensor | Number, alpha: object = 1) -> Tensor:
    """`other - alpha * input`."""
    _need_tensors(FIRST, input, other)
    return sub(other, input, alpha=alpha)


def _refuse_bool(value: Tensor | Number) -> None:
    if value is True or value is False or (type(value) is TensorSpec and value.dtype is bool_):
        raise DTypeError("cannot subtract bool tensors; use ^ or logical_xor, or ~ to invert a mask")


def _need_alpha(alpha: object, dtype: DType | None) -> None:
    if dtype is None or isinstance(alpha, Dim):
        return
    if isinstance(alpha, bool) and dtype is not bool_:
        raise DTypeError(f"a bool alpha requires a bool result, got {dtype}")
    if isinstance(alpha, float) and dtype.kind in INTEGRAL:
        raise DTypeError(f"expected alpha to be an integer for {dtype}, got {alpha}")
    if isinstance(alpha, complex) and not dtype.is_complex:
        raise DTypeError(f"expected alpha to be a real number for {dtype}, got {alpha}")


@op("div", "divide", traits=Trait.NUMBER_OPERANDS | Trait.ONE_DEVICE | Trait.SUM | Trait.PROMOTES_DTYPES)
def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: object = None) -> Tensor:
    """The shapes broadcast; true division of ints returns floats, rounded division ints."""
    if type(input) is not TensorSpec or type(other) is not TensorSpec:
        _need_tensors(EITHER, input, other)
    dtype = promoted(input, other)
    if rounding_mode is None:
        return combined(floated(dtype), input, other)
    if isinstance(rounding_mode, str) and rounding_mode not in ("trunc", "floor"):
        raise CallError(f'expected rounding_mode to be None, "trunc" or "floor", got {value_text(rounding_mode)}')
    return combined(accept(dtype, COMPLEX), input, other)


@op("true_divide", traits=Trait.NUMBER_OPERANDS | Trait.SUM | Trait.PROMOTES_DTYPES)
def true_divide(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """The shapes broadcast; ints and bools become floats."""
    return div(input, other)


@op("__rdiv__")
def rdiv(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """`other / input`."""
    _need_tensors(FIRST, input, other)
    return div(input, other)


@op("pow", traits=Trait.NUMBER_OPERANDS | Trait.ONE_DEVICE | Trait.TENSOR_FIRST | Trait.PAIRS)
def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The shapes broadcast, the dtypes promote; integers cannot be raised to a negative power."""
    _need_tensors(ANY, input, exponent)
    dtype = promoted(input, exponent)
    if type(exponent) is int and exponent < 0 and dtype is not None and dtype.is_integral:
        raise DTypeError(f"cannot raise an integer to a negative power: {dtype} ** {exponent}")
    return combined(dtype, input, exponent)


@op("float_power", traits=Trait.PAIRS)
def float_power(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The shapes broadcast; always in double precision."""
    _need_tensors(ANY, input, exponent)
    known = [promoted(one, one) for one in (input, exponent)]
    if any(dtype is not None and dtype.is_complex for dtype in known):
        return combined(complex128, input, exponent)
    return combined(None if None in known else float64, input, exponent)


@op("float_power_")
def float_power_(input: Tensor, exponent: Tensor | Number) -> Tensor:
    """In place: the input must already be in double precision."""
    result = float_power(input, exponent)
    if None is not input.dtype is not result.dtype is not None:
        raise DTypeError(f"expected an input of dtype {result.dtype}, got {input.dtype}")
    return fitted(input, result)  # type: ignore[no-any-return]


@op("clamp_min", traits=Trait.PAIRS)
def clamp_min(input: Tensor, min: Tensor | Number) -> Tensor:
    """The shapes broadcast, the dtypes promote."""
    _need_tensors(FIRST, input, min)
    return combined(accept(promoted(input, min), COMPLEX), input, min)


@op("clamp_max", traits=Trait.PAIRS)
def clamp_max(input: Tensor, max: Tensor | Number) -> Tensor:
    """The shapes broadcast, the dtypes promote."""
    _need_tensors(FIRST, input, max)
    return combined(accept(promoted(input, max), COMPLEX), input, max)


@op("heaviside", traits=Trait.PAIRS)
def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """The shapes broadcast; both dtypes are the same."""
    accept(input.dtype, COMPLEX)
    accept(values.dtype, COMPLEX)
    return combined(need_same_dtype(("input", input), ("values", values)), input, values)


@op("isclose", traits=Trait.PAIRS)
def isclose(
    input: Tensor, other: Tensor, rtol: object = 1e-05, atol: object = 1e-08, equal_nan: object = False
) -> Tensor:
    """The shapes broadcast; both dtypes are the same."""
    _need_tolerances(rtol, atol)
    need_same_dtype(("input", input), ("other", other))
    return combined(bool_, input, other)


@op("allclose", traits=Trait.PAIRS)
def allclose(
    input: Tensor, other: Tensor, rtol: object = 1e-05, atol: object = 1e-08, equal_nan: object = False
) -> Unknown:
    """A Python bool that depends on the data."""
    isclose(input, other, rtol, atol)
    return Unknown("data-dependent bool")


def _need_tolerances(*tolerances: object) -> None:
    for value in tolerances:
        if isinstance(value, (int, float)) and value < 0:
            raise CallError(f"expected rtol and atol to be at least 0, got {value}")


@op("equal")
def equal(input: Tensor, other: Tensor) -> bool | Unknown:
    """A Python bool: False for different shapes, otherwise it depends on the data."""
    if input.rank is None or other.rank is None:
        return Unknown("unknown shape")
    if input.rank != other.rank or False in map(same_size, input.dims, other.dims):
        return False
    return Unknown("data-dependent bool")


@op("isin")
def isin(
    elements: Tensor | Number, test_elements: Tensor | Number, *, assume_unique: object = False, invert: object = False
) -> Tensor:
    """The shape of the elements, bool."""
    for one in (elements, test_elements):
        accept(promoted(one, one), COMPLEX | BOOL)
    if not isinstance(elements, Tensor):
        tensor(test_elements)
        return Tensor((), bool_, "contiguous", getattr(test_elements, "device", None))
    result = kept(elements, bool_)
    return result if result.layout == "contiguous" else result.with_layout("unknown")
