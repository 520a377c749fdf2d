"""PyTorch's dtypes and how they promote, without PyTorch.

Every dtype of torch 2.13 is a module-level constant (`dtype.float32`, `dtype.bool_`); `DTYPES` holds them by name. The
rules are those of c10/core/ScalarType.cpp (`promoteTypes`) and aten/src/ATen/native/TypeProperties.cpp (`result_type`);
the tests compare them with torch for every pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Final, Literal

from shapecheck.spec.errors import DTypeError
from shapecheck.spec.presentation import value_text

Kind = Literal["bool", "unsigned", "signed", "float", "complex", "quantised", "bits"]


class DType:
    """A tensor's element type. There is one object per dtype, so compare with `is`.

    `itemsize` is in bytes; a dtype of less than one byte has 1, as torch reports it.
    """

    __slots__ = ("is_complex", "is_floating", "is_integral", "itemsize", "kind", "name")

    def __init__(self, name: str, kind: Kind, itemsize: int) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.itemsize: Final = itemsize
        self.is_floating: Final = kind == "float"
        self.is_complex: Final = kind == "complex"
        self.is_integral: Final = kind in ("unsigned", "signed")  # bool is not

    def __str__(self) -> str:
        return f"torch.{self.name}"

    __repr__ = __str__

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, _memo: object) -> DType:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return as_dtype, (self.name,)

    def to_complex(self) -> DType:
        """The complex dtype whose parts hold this one (bfloat16 -> complex64); DTypeError where torch has none."""
        found = _COMPLEX_OF.get(self)
        if found is None:
            raise DTypeError(f"{self} has no complex counterpart")
        return found

    def to_real(self) -> DType:
        """The dtype of a complex number's parts; every other dtype is its own."""
        return _REAL_OF.get(self, self)


DTYPES: dict[str, DType] = {}


def _define(name: str, kind: Kind, itemsize: int) -> DType:
    made = DTYPES[name] = DType(name, kind, itemsize)
    return made


bool_ = _define("bool", "bool", 1)
uint8 = _define("uint8", "unsigned", 1)
int8 = _define("int8", "signed", 1)
int16 = _define("int16", "signed", 2)
int32 = _define("int32", "signed", 4)
int64 = _define("int64", "signed", 8)
bfloat16 = _define("bfloat16", "float", 2)
float16 = _define("float16", "float", 2)
float32 = _define("float32", "float", 4)
float64 = _define("float64", "float", 8)
complex32 = _define("complex32", "complex", 4)
complex64 = _define("complex64", "complex", 8)
complex128 = _define("complex128", "complex", 16)

uint16 = _define("uint16", "unsigned", 2)
uint32 = _define("uint32", "unsigned", 4)
uint64 = _define("uint64", "unsigned", 8)
uint1 = _define("uint1", "unsigned", 1)
uint2 = _define("uint2", "unsigned", 1)
uint3 = _define("uint3", "unsigned", 1)
uint4 = _define("uint4", "unsigned", 1)
uint5 = _define("uint5", "unsigned", 1)
uint6 = _define("uint6", "unsigned", 1)
uint7 = _define("uint7", "unsigned", 1)
int1 = _define("int1", "signed", 1)
int2 = _define("int2", "signed", 1)
int3 = _define("int3", "signed", 1)
int4 = _define("int4", "signed", 1)
int5 = _define("int5", "signed", 1)
int6 = _define("int6", "signed", 1)
int7 = _define("int7", "signed", 1)

float8_e4m3fn = _define("float8_e4m3fn", "float", 1)
float8_e4m3fnuz = _define("float8_e4m3fnuz", "float", 1)
float8_e5m2 = _define("float8_e5m2", "float", 1)
float8_e5m2fnuz = _define("float8_e5m2fnuz", "float", 1)
float8_e8m0fnu = _define("float8_e8m0fnu", "float", 1)
float4_e2m1fn_x2 = _define("float4_e2m1fn_x2", "float", 1)

qint8 = _define("qint8", "quantised", 1)
qint32 = _define("qint32", "quantised", 4)
quint8 = _define("quint8", "quantised", 1)
quint4x2 = _define("quint4x2", "quantised", 1)
quint2x4 = _define("quint2x4", "quantised", 1)
bits8 = _define("bits8", "bits", 1)
bits16 = _define("bits16", "bits", 2)
bits1x8 = _define("bits1x8", "bits", 1)
bits2x4 = _define("bits2x4", "bits", 1)
bits4x2 = _define("bits4x2", "bits", 1)

DEFAULT_FLOAT: Final = float32
"""What a Python float becomes. An assumption: torch.set_default_dtype can change it at run time."""

DEFAULT_COMPLEX: Final = complex64
"""What a Python complex becomes; follows DEFAULT_FLOAT."""

_COMPLEX_OF = {
    bfloat16: complex64,
    float16: complex32,
    float32: complex64,
    float64: complex128,
    complex32: complex32,
    complex64: complex64,
    complex128: complex128,
}
_REAL_OF = {complex32: float16, complex64: float32, complex128: float64}

_ALIASES = {
    "bit": uint1,
    "short": int16,
    "int": int32,
    "long": int64,
    "half": float16,
    "float": float32,
    "double": float64,
    "chalf": complex32,
    "cfloat": complex64,
    "cdouble": complex128,
}
_BY_NAME: dict[str, DType] = {
    f"{prefix}{name}": dtype for prefix in ("", "torch.") for name, dtype in (*DTYPES.items(), *_ALIASES.items())
}
# `dtype=float` is another dtype than that of `torch.tensor(1.0)`.
_OF_PYTHON_TYPE: dict[object, DType] = {bool: bool_, int: int64, float: float64, complex: complex128}
_OF_NUMBER: dict[object, DType] = {bool: bool_, int: int64, float: DEFAULT_FLOAT, complex: DEFAULT_COMPLEX}


def as_dtype(value: object) -> DType:
    """The DType that `value` names.

    Takes a DType, a name with or without `torch.` ("float32", "torch.long", "half"), a torch.dtype, or one of the
    Python types bool, int, float, complex, as torch reads `dtype=`: `int` is int64, though `torch.int` is int32, and
    `float` is float64.
    Raises DTypeError for anything else.
    """
    if isinstance(value, DType):
        return value
    found = _OF_PYTHON_TYPE.get(value) if isinstance(value, type) else _BY_NAME.get(str(value))
    if found is None:
        raise DTypeError(f"expected a PyTorch dtype, got {_shown(value)}")
    return found


def _shown(value: object) -> str:
    return value_text(value)


def dtype_of_number(number: object) -> DType:
    """The dtype that torch gives a Python number: float32 for 1.0; DTypeError for other values."""
    found = _OF_NUMBER.get(type(number))
    if found is None:
        raise DTypeError(f"expected a number, got {_shown(number)}")
    return found


# The dtypes that promote among each other, by rising category.
_LEVEL = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 3}
_PROMOTABLE = frozenset(
    (bool_, uint8, int8, int16, int32, int64, bfloat16, float16, float32, float64, complex32, complex64, complex128)
)
# "Barebones" unsigned types only ever give way to one of these floats.
_BAREBONES = frozenset((uint1, uint2, uint3, uint4, uint5, uint6, uint7, uint16, uint32, uint64))
_OVER_BAREBONES = frozenset((bfloat16, float16, float32, float64, float4_e2m1fn_x2))

_PROMOTED: dict[tuple[DType, DType], DType] = {}


def promote(a: DType, b: DType) -> DType:
    """torch.promote_types: the smallest dtype that both are cast to. DTypeError where torch has none (float8, ...)."""
    found = _PROMOTED.get((a, b))
    if found is None:
        found = _PROMOTED[a, b] = _promote(a, b)
    return found


def _promote(a: DType, b: DType) -> DType:
    if a is b:
        return a
    if a in _PROMOTABLE and b in _PROMOTABLE:
        low, high = sorted((a, b), key=lambda dtype: (_LEVEL[dtype.kind], dtype.itemsize))
        return _promote_ordered(low, high)
    for unsigned, other in ((a, b), (b, a)):
        if unsigned in _BAREBONES and other in _OVER_BAREBONES:
            return other
    raise DTypeError(f"{a} and {b} do not promote to a common dtype; cast one of them")


def _promote_ordered(low: DType, high: DType) -> DType:
    if high.is_complex and low.is_floating:
        return _promote(low.to_complex(), high)
    if {low, high} == {uint8, int8}:
        return int16
    if {low, high} == {bfloat16, float16}:
        return float32
    return high


Category = Literal[0, 1, 2]
DIMENSIONED: Final[Category] = 0
"""An operand that is a tensor with at least one axis."""
ZERO_DIM: Final[Category] = 1
"""An operand that is a tensor without axes."""
NUMBER: Final[Category] = 2
"""An operand that is a Python number; its dtype is `dtype_of_number(number)`."""

Operand = tuple["DType | None", "Category | None"]

_RESULTS: dict[tuple[Operand, ...], DType | None] = {}


def result_type(operands: Iterable[Operand]) -> DType | None:
    """torch.result_type of any number of operands, each a pair of dtype and category.

    Tensors with axes come before tensors without, and those before Python numbers: a lower category only counts when
    it is of a higher kind (an int tensor times a 0-dim float tensor is float). A dtype of None is unknown; a category
    of None is a tensor whose rank is unknown. The answer is None unless it is the same whatever they are.
    Raises DTypeError where torch refuses.
    """
    key = tuple(operands)
    if key in _RESULTS:
        return _RESULTS[key]
    if not key:
        raise DTypeError("expected at least one operand")
    unknown = any(dtype is None or category is None for dtype, category in key)
    found = _result_if_certain(key) if unknown else _combine(key)
    if len(_RESULTS) < 10_000:
        _RESULTS[key] = found
    return found


def _combine(operands: Iterable[Operand]) -> DType | None:
    by_category: list[DType | None] = [None, None, None]
    for dtype, category in operands:
        if dtype is None or category is None:
            continue
        counted = _of_number(dtype) if category == NUMBER else dtype
        seen = by_category[category]
        by_category[category] = counted if seen is None else promote(seen, counted)
    dimensioned, zero_dim, number = by_category
    return _over(dimensioned, _over(zero_dim, number))


def _of_number(dtype: DType) -> DType:
    if dtype.is_complex:
        return DEFAULT_COMPLEX
    return DEFAULT_FLOAT if dtype.is_floating else dtype


def _over(higher: DType | None, lower: DType | None) -> DType | None:
    if higher is None or lower is None:
        return lower if higher is None else higher
    if higher.is_complex:
        return higher
    if lower.is_complex:
        return higher.to_complex() if higher.is_floating else lower
    if higher.is_floating:
        return higher
    return promote(higher, lower) if higher is bool_ or lower.is_floating else higher


# What separates an answer that depends on an unknown dtype from one that does not: the least and the greatest
# promotable dtype, and the float whose complex counterpart is the narrowest.
_PROBES = (bool_, float16, complex128)
_MOST_TRIALS = 1_000


def _result_if_certain(operands: tuple[Operand, ...]) -> DType | None:
    # Unknown dtypes of one category promote among each other to what one of them may be: one probe represents all.
    choices: list[tuple[Operand, ...]] = []
    for dtype, category in dict.fromkeys(operands):
        dtypes = _PROBES if dtype is None else (dtype,)
        categories = (DIMENSIONED, ZERO_DIM) if category is None else (category,)
        choices.append(tuple(product(dtypes, categories)))
    if prod(map(len, choices)) > _MOST_TRIALS:
        return None
    try:
        results = {_combine(choice) for choice in product(*choices)}
    except DTypeError:
        return None
    return results.pop() if len(results) == 1 else None
