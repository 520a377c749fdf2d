"""Operators that fill a tensor: with a number, or with random numbers of one distribution."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.cast import fill_shape
from shapecheck.ops.shared.arguments import Number, Sizes, Tensor, fresh, sizes
from shapecheck.ops.shared.elementwise import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    NOTHING,
    accept,
    combined,
    kept,
    need_value,
    tensor,
    unordered,
)
from shapecheck.ops.shared.factories import dtype_given
from shapecheck.spec import CallError, ShapeError


@op("fill")
def fill(input: Tensor, value: Tensor | Number) -> Tensor:
    """Keeps the shape and dtype; the value is a number or a 0-D tensor."""
    if isinstance(value, Tensor):
        if value.rank is not None and value.rank > 0:
            raise ShapeError(f"expected a number or a 0-D value, got shape {value.shape}")
    else:
        need_value(value, input.dtype)
    return kept(input, input.dtype)


@op("zero")
def zero(input: Tensor) -> Tensor:
    """Keeps the shape and dtype."""
    return kept(input, input.dtype)


@op("uniform", "uniform_")
def uniform(
    input: Tensor, from_: object = 0, to: object = 1, *, generator: object = None, **from_keyword: object
) -> Tensor:
    """The input, filled."""
    low = from_keyword.get("from", from_)
    if isinstance(low, (int, float)) and isinstance(to, (int, float)) and low > to:
        raise CallError(f'expected "from" to be at most "to", got {low} and {to}')
    accept(tensor(input).dtype, INTEGRAL)
    return input


@op("normal_")
def normal_(input: Tensor, mean: object = 0, std: object = 1, *, generator: object = None) -> Tensor:
    """The input, filled."""
    _need_std(std)
    accept(tensor(input).dtype, INTEGRAL)
    return input


@op("cauchy", "cauchy_")
def cauchy(input: Tensor, median: object = 0, sigma: object = 1, *, generator: object = None) -> Tensor:
    """The input, filled."""
    _need_positive("sigma", sigma)
    accept(tensor(input).dtype, INTEGRAL | COMPLEX)
    return input


@op("log_normal", "log_normal_")
def log_normal(input: Tensor, mean: object = 1, std: object = 2, *, generator: object = None) -> Tensor:
    """The input, filled."""
    _need_positive("std", std)
    accept(tensor(input).dtype, INTEGRAL | COMPLEX)
    return input


@op("exponential", "exponential_")
def exponential(input: Tensor, lambd: object = 1, *, generator: object = None) -> Tensor:
    """The input, filled."""
    if isinstance(lambd, (int, float)) and lambd <= 0:
        raise CallError(f"expected lambd to be positive, got {lambd}")
    accept(tensor(input).dtype, INTEGRAL | COMPLEX)
    return input


@op("geometric", "geometric_")
def geometric(input: Tensor, p: object, *, generator: object = None) -> Tensor:
    """The input, filled."""
    if isinstance(p, (int, float)) and not 0 < p < 1:
        raise CallError(f"expected p to be between 0 and 1 (exclusive), got {p}")
    accept(tensor(input).dtype, BOOL | COMPLEX)
    return input


@op("random_")
def random_(
    input: Tensor, from_: object = 0, to: object = None, *, generator: object = None, **from_keyword: object
) -> Tensor:
    """The input, filled."""
    accept(tensor(input).dtype, COMPLEX)
    return input


@op("bernoulli")
def bernoulli(input: Tensor, p: object = None, *, generator: object = None) -> Tensor:
    """Keeps the shape and dtype; the input contains the probabilities, unless p is given."""
    _need_probability(p)
    accept(tensor(input).dtype, COMPLEX | (INTEGRAL if p is None else NOTHING))
    return unordered(kept(input, input.dtype))


@op("bernoulli_")
def bernoulli_(input: Tensor, p: Tensor | Number = 0.5, *, generator: object = None) -> Tensor:
    """The input, filled; a tensor of probabilities must broadcast to its shape."""
    if isinstance(p, Tensor):
        fill_shape(input, p)
    _need_probability(p)
    return input


def _need_probability(p: object) -> None:
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        raise CallError(f"expected p to be between 0 and 1, got {p}")


def _need_positive(name: str, value: object) -> None:
    if isinstance(value, (int, float)) and value <= 0:
        raise CallError(f"expected {name} to be positive, got {value}")


def _need_std(std: object) -> None:
    if isinstance(std, (int, float)) and not std >= 0:
        raise CallError(f"expected std to be at least 0, got {std}")


@op("normal")
def normal(
    mean: Tensor | Number,
    std: Tensor | Number = 1.0,
    size: Sizes | None = None,
    *,
    generator: object = None,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    requires_grad: object = False,
    pin_memory: object = None,
) -> Tensor:
    """The shapes of mean and std broadcast, the dtype is the mean's; with a size, both are numbers or 0-D tensors."""
    if isinstance(mean, Tensor) and isinstance(size, (int, float)):
        return normal_(mean, std, size)  # the functional form of Tensor.normal_
    _need_std(std)
    if size is not None:
        for name, value in (("mean", mean), ("std", std)):
            if isinstance(value, Tensor) and value.shape.least_rank:
                raise CallError(f"expected {name} to be a number or a 0-D tensor with size, got shape {value.shape}")
        return fresh(sizes((size,)), accept(dtype_given(dtype), INTEGRAL))
    if isinstance(std, Tensor) and std.dtype is not None and std.dtype.is_complex:
        accept(std.dtype, COMPLEX)
    if isinstance(mean, Tensor):
        return unordered(combined(accept(mean.dtype, INTEGRAL), mean, std))
    return unordered(combined(accept(tensor(std).dtype, INTEGRAL), std))
