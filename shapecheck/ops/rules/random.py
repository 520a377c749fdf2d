"""Operators that draw random numbers into a new tensor."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.creation import patterned
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.elementwise import BOOL, COMPLEX, INTEGRAL, accept, combined, unordered
from shapecheck.ops.shared.factories import counted, dtype_given, made, shape_given, shape_of
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Dim, DTypeError, Shape, ShapeError, Size, VariadicAxes, at_least
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text

_MOST_CHOICES = 1 << 24


def _drawn(
    *shape: object,
    size: object = None,
    generator: object = None,
    names: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """f(2, 3) or f((2, 3)) gives (2, 3), of the default float dtype unless another floating-point one is given."""
    return made(shape_given(shape, size), accept(dtype_given(dtype), INTEGRAL), device, layout=layout)


def _drawn_like(
    input: Tensor,
    *,
    generator: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
    memory_format: object = None,
) -> Tensor:
    """The shape and the dtype of the input, which must be floating-point unless a dtype is given."""
    return patterned(input, accept(dtype_given(dtype, input.dtype), INTEGRAL), device, memory_format)


for _name in ("rand", "randn"):
    register(_drawn, _name, traits=Trait.NEW_ON_DEFAULT_DEVICE | Trait.TAKES_SIZES)
    register(_drawn_like, f"{_name}_like", traits=Trait.TENSOR_FIRST)


@op("randint", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def randint(
    *args: object,
    low: object = None,
    high: object = None,
    size: object = None,
    generator: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """randint(high, size) and randint(low, high, size) give `size`, of int64 unless a dtype is given."""
    given = list(args)
    if size is None:
        if not given:
            raise CallError('missing 1 required positional argument: "size"')
        size = given.pop()
    _need_range(_limits(given, low, high))
    return made(shape_of(size), accept(dtype_given(dtype, int64), COMPLEX), device, layout=layout)  # type: ignore[arg-type]  # checked there


def _limits(given: list[Any], low: Any, high: Any) -> tuple[Any, Any]:
    if len(given) == 2 and low is None and high is None:
        return given[0], given[1]
    if len(given) == 1 and (low is None or high is None):
        return (given[0], high) if high is not None else (0 if low is None else low, given[0])
    if given or high is None:
        raise CallError("expected high, or low and high, before size")
    return (0 if low is None else low), high


def _need_range(limits: tuple[Any, Any]) -> None:
    """Raises CallError if the limits are not integers or are known to enclose none."""
    for limit in limits:
        if isinstance(limit, (float, str, complex)):
            raise CallError(f"expected low and high to be integers, got {value_text(limit)}")
    low, high = limits
    if all(isinstance(limit, (int, Dim)) for limit in limits) and at_least(high, low + 1) is False:
        raise CallError(f"expected low to be less than high, got {value_text(low)} and {value_text(high)}")


@op("randint_like")
def randint_like(
    input: Tensor,
    *args: object,
    low: object = None,
    high: object = None,
    generator: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
    memory_format: object = None,
) -> Tensor:
    """The shape and the dtype of the input."""
    _need_range(_limits(list(args), low, high))
    return patterned(input, accept(dtype_given(dtype, input.dtype), COMPLEX), device, memory_format)


@op("randperm", traits=Trait.NEW_ON_DEFAULT_DEVICE)
def randperm(
    n: object,
    *,
    generator: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """(n,) of int64 unless a dtype is given."""
    return made(Shape((counted(n, "n"),)), accept(dtype_given(dtype, int64), BOOL | COMPLEX), device, layout=layout)


@op("multinomial")
def multinomial(input: Tensor, num_samples: object, replacement: object = False, *, generator: object = None) -> Tensor:
    """(n,) weights give (num_samples,) and (b, n) give (b, num_samples), of int64."""
    if input.dtype is not None and not input.dtype.is_floating:
        raise DTypeError(f"expected a floating-point dtype, got {input.dtype}")
    _need_rows(input)
    count = counted(num_samples, "num_samples")
    if isinstance(count, int) and count < 1:
        raise CallError(f"expected num_samples to be positive, got {count}")
    choices = input.shape.at(-1)
    if replacement is False and choices is not None:
        _need_choices(count, choices)
    shape = input.shape
    if choices is not None and at_least(choices, _MOST_CHOICES + 1):
        raise ShapeError(f"expected at most 2**24 categories in the last dimension, got {choices}")
    if shape.run is not None:
        return made(Shape((), VariadicAxes(), (count,)), int64, like=input)
    return made(Shape((*shape.head[:-1], count)), int64, like=input)


def _need_rows(input: Tensor) -> None:
    if input.rank not in (1, 2, None) or input.shape.least_rank > 2:
        raise ShapeError(f"expected a 1-D or 2-D input, got shape {input.shape}")


def _need_choices(count: Size, choices: Size) -> None:
    if at_least(choices, count) is False:
        raise ShapeError(f"cannot draw {count} samples from {choices} categories; pass replacement=True")


def _sampled(input: Tensor, generator: object = None) -> Tensor:
    """One number for each of the input, of its dtype."""
    return made(input.shape, accept(input.dtype, INTEGRAL | COMPLEX), like=input)


for _name in ("poisson", "_standard_gamma", "_sample_dirichlet"):
    register(_sampled, _name)


@op("binomial")
def binomial(count: Tensor, prob: Tensor, generator: object = None) -> Tensor:
    """The shapes of count and prob broadcast; both have the same floating-point dtype."""
    for one in (count, prob):
        accept(one.dtype, INTEGRAL | COMPLEX)
    if count.dtype is not None and prob.dtype is not None and count.dtype is not prob.dtype:
        raise DTypeError(f"expected count and prob to have the same dtype, got {count.dtype} and {prob.dtype}")
    return unordered(combined(count.dtype, count, prob))
