"""Operators on one tensor, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.elementwise import (
    BOOL,
    COMPLEX,
    FLOATS,
    INTEGRAL,
    NOTHING,
    Kinds,
    accept,
    boolean,
    floated,
    kept,
    tensor,
    unordered,
)
from shapecheck.ops.traits import NO_TRAITS, Trait
from shapecheck.ops.variants import fitted
from shapecheck.spec import CallError, DType, DTypeError
from shapecheck.spec.dtype import bool_, int32, int64

DTypeRule = Callable[["DType | None"], "DType | None"]


def unary(dtype_of: DTypeRule, refused: Kinds) -> Callable[[Tensor], Tensor]:
    """The rule of an operator that keeps the shape: how it changes the dtype, and the kinds of dtype it refuses."""

    def rule(input: Tensor) -> Tensor:
        x = tensor(input)
        dtype = x.dtype
        if dtype is not None and dtype.kind in refused:
            accept(dtype, refused)
        return kept(x, dtype_of(dtype))

    return rule


def same(dtype: DType | None) -> DType | None:
    """The dtype of an operator that keeps it."""
    return dtype


def real(dtype: DType | None) -> DType | None:
    """The dtype of an operator that maps complex numbers to reals."""
    return None if dtype is None else dtype.to_real()


def _angle(dtype: DType | None) -> DType | None:
    return real(floated(dtype))


def _squared(dtype: DType | None) -> DType | None:
    return int64 if dtype is bool_ else dtype


to_float = unary(floated, NOTHING)

_TABLE: tuple[tuple[DTypeRule, Kinds, str], ...] = (
    # Ints and bools become floats; complex numbers are supported.
    (
        floated,
        NOTHING,
        """acos/arccos acosh/arccosh asin/arcsin asinh/arcsinh atan/arctan atanh/arctanh cos cosh exp exp2/special.exp2
        expm1/special.expm1 log log10 log1p/special.log1p log2 reciprocal rsqrt sigmoid/special.expit sin
        sinc/special.sinc sinh sqrt tan tanh""",
    ),
    # The same without complex numbers.
    (
        floated,
        COMPLEX,
        """deg2rad rad2deg i0/special.i0 digamma/special.digamma/special.psi erf/special.erf erfc/special.erfc
        erfinv/special.erfinv lgamma/special.gammaln""",
    ),
    (same, NOTHING, "conj/_conj conj_physical/_conj_physical resolve_conj resolve_neg/_neg_view sgn"),
    (same, COMPLEX, "sign"),
    (same, COMPLEX, "ceil floor trunc/fix"),
    (same, BOOL, "neg/negative positive/pos"),
    (same, COMPLEX | FLOATS, "bitwise_not/operator.inv"),
    (same, COMPLEX | INTEGRAL, "frac"),
    (real, NOTHING, "abs/absolute"),
    (_angle, NOTHING, "angle"),
    (_squared, NOTHING, "square"),
    (boolean, NOTHING, "logical_not isfinite isinf isreal isnan"),
    (boolean, COMPLEX, "isposinf isneginf signbit"),
)

_TRAITS = dict.fromkeys(("abs", "exp", "log", "sigmoid", "tanh"), Trait.KEEPS_AXES | Trait.TENSOR_FIRST)
_TRAITS |= {"neg": Trait.KEEPS_AXES, "sqrt": Trait.TENSOR_FIRST}

for _dtype_of, _refused, _line in _TABLE:
    for _one in _line.split():
        _names = _one.split("/")
        register(unary(_dtype_of, _refused), *_names, traits=_TRAITS.get(_names[0], NO_TRAITS))


@op("abs_")
def abs_(input: Tensor) -> Tensor:
    """The input; a complex tensor cannot store its absolute value."""
    accept(tensor(input).dtype, COMPLEX)
    return input


@op("round", "special.round")
def round(input: Tensor, *, decimals: object = 0) -> Tensor:
    """The shape and the dtype stay."""
    x = tensor(input)
    return kept(x, accept(x.dtype, COMPLEX | BOOL | (INTEGRAL if isinstance(decimals, int) and decimals else BOOL)))


@op("logit", "special.logit")
def logit(input: Tensor, eps: object = None) -> Tensor:
    """The shape stays; ints and bools become floats."""
    return kept(input, floated(accept(input.dtype, COMPLEX)))


@op("nan_to_num")
def nan_to_num(input: Tensor, nan: object = None, posinf: object = None, neginf: object = None) -> Tensor:
    """The shape and the dtype stay."""
    return kept(input, input.dtype)


class Frexp(NamedTuple):
    """What `torch.frexp` returns."""

    mantissa: Tensor
    exponent: Tensor


@op("frexp")
def frexp(input: Tensor) -> Frexp:
    """A mantissa of the input's dtype and an int32 exponent, both of its shape."""
    if input.dtype is not None and not input.dtype.is_floating:
        raise DTypeError(f"expected a floating-point dtype, got {input.dtype}")
    return Frexp(kept(input, input.dtype), kept(input, int32))


@op("mvlgamma", "special.multigammaln")
def mvlgamma(input: Tensor, p: object) -> Tensor:
    """The shape stays; ints become floats."""
    if isinstance(p, int) and p < 1:
        raise CallError(f"expected p to be at least 1, got {p}")
    return unordered(kept(input, floated(accept(input.dtype, BOOL | COMPLEX))))


@op("polygamma", "special.polygamma")
def polygamma(n: object, input: Tensor) -> Tensor:
    """The shape stays; ints and bools become floats."""
    if isinstance(n, int) and n < 0:
        raise CallError(f"expected n to be non-negative, got {n}")
    x = tensor(input)
    return kept(x, floated(accept(x.dtype, COMPLEX)))


@op("Tensor.polygamma")
def polygamma_method(input: Tensor, n: object) -> Tensor:
    """`torch.polygamma(n, input)`."""
    return polygamma(n, input)


@op("polygamma_")
def polygamma_(input: Tensor, n: object) -> Tensor:
    """The same, in place."""
    return fitted(input, polygamma(n, input))  # type: ignore[no-any-return]
