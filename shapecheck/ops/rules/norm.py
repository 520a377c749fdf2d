"""Normalization over the last dimensions, over channels and over groups."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh_shape, need_equal, size
from shapecheck.ops.shared.matching import matched, numel
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DType, DTypeError, Layout, Shape, ShapeError, Size, Unanswered, same
from shapecheck.spec.dtype import bfloat16, float16, float32


@op("layer_norm")
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[Size] | Unknown,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: object = 1e-5,
    cudnn_enable: object = True,
) -> Tensor:
    """(*, normalized_shape) keeps its shape; weight and bias have the normalized shape."""
    shape = last_axes(input, normalized_shape, weight, bias)
    return fresh_shape(shape, norm_dtype(input, weight, bias), input)


@op("rms_norm")
def rms_norm(
    input: Tensor, normalized_shape: Sequence[Size] | Unknown, weight: Tensor | None = None, eps: object = None
) -> Tensor:
    """(*, normalized_shape) keeps its shape; the weight has the normalized shape."""
    shape = last_axes(input, normalized_shape, weight)
    dtype = input.dtype
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"expected the input to have a floating-point dtype, got {dtype}")
    sure = input.layout in ("contiguous", "non-contiguous") and dtype is not None and dtype.is_floating
    return fresh_shape(shape, dtype, input, "contiguous" if sure or input.layout == "contiguous" else "unknown")


@op("batch_norm")
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: object = False,
    momentum: object = 0.1,
    eps: object = 1e-5,
) -> Tensor:
    """(N, C, *) keeps its shape; the statistics, weight and bias have C elements."""
    if training is False and (running_mean is None or running_var is None):
        raise CallError("running_mean and running_var are required unless training is True")
    if training is True:
        need_several(input, (0, *range(2, input.rank or 0)), "value per channel")
    return by_channel(input, running_mean, running_var, weight, bias)


@op("instance_norm")
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: object = True,
    momentum: object = 0.1,
    eps: object = 1e-5,
) -> Tensor:
    """(N, C, *) keeps its shape; the statistics, weight and bias have C elements."""
    if use_input_stats is False and (running_mean is None or running_var is None):
        raise CallError("running_mean and running_var are required unless use_input_stats is True")
    if use_input_stats is True:
        need_several(input, range(2, input.rank or 0), "spatial element")
    out = by_channel(input, running_mean, running_var, weight, bias)
    return fresh_shape(out.shape, out.dtype, input)


@op("group_norm")
def group_norm(
    input: Tensor,
    num_groups: Size,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: object = 1e-5,
    cudnn_enabled: object = True,
) -> Tensor:
    """(N, C, *) with C divisible by num_groups keeps its shape; weight and bias are (C,)."""
    channels = channels_of(input)
    need_groups(channels, size(num_groups), "the number of channels of the input")
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None:
            message = (
                f"expected a {name} of shape ({channels},), one value per channel of {input.shape}, got {given.shape}"
            )
            matched(given.shape, Shape((channels,)), message)
    dims = input.shape.head if input.rank is not None else ()
    if dims and all(type(one) is int for one in dims) and prod(dims) == num_groups:
        raise ShapeError(f"expected more than 1 value per group, got input of shape {input.shape}")
    return fresh_shape(input.shape, norm_dtype(input, weight, bias), input, _kept(input))


def need_groups(channels: Size, groups: Size, what: str) -> None:
    """Raises ShapeError if the number of channels is not divisible by that of groups."""
    if type(groups) is int and groups <= 0:
        raise CallError(f"expected num_groups to be positive, got {groups}")
    if same(channels % groups, 0) is False:
        message = f"expected {what} to be divisible by num_groups, got {channels} and {groups}"
        raise ShapeError(message).between(channels, groups)


def last_axes(input: Tensor, normalized_shape: Sequence[Size] | Unknown, *affine: Tensor | None) -> Shape:
    """The input's shape, which ends in the normalized one; ShapeError if it or that of a weight does not match."""
    if isinstance(normalized_shape, Unknown) or (isinstance(normalized_shape, Shape) and normalized_shape.rank is None):
        return input.shape
    expected = normalized(normalized_shape)
    shown = Shape(expected)
    shape = input.shape
    if input.rank is not None and input.rank < len(expected):
        raise ShapeError(
            f"expected at least {len(expected)} dimensions for normalized_shape {shown}, got shape {input.shape}"
        )
    for place in range(-1, -len(expected) - 1, -1):
        found = input.shape.at(place)
        if found is not None:
            wrong = f"expected dimension {place} of the input to be {expected[place]}, got {found}"
            need_equal(found, expected[place], f"{wrong} (normalized_shape is {shown}, input of shape {input.shape})")
        if not isinstance(found, int) and (found is None or isinstance(expected[place], int)):
            shape = shape.with_at(place, expected[place])
    for name, given in zip(("weight", "bias"), affine, strict=False):
        if given is not None:
            message = f"expected a {name} of shape {shown}, the normalized_shape, got {given.shape}"
            matched(given.shape, shown, message)
    return shape


def normalized(shape: Any) -> tuple[Size, ...]:
    """`normalized_shape` as sizes; raises CallError if it is not a non-empty tuple of ints."""
    if isinstance(shape, (tuple, list, Shape)):
        if len(shape) == 0:
            raise ShapeError("expected normalized_shape to have at least one element, got ()")
        return tuple(size(one) for one in shape)
    if isinstance(shape, int):
        raise CallError(f"expected normalized_shape to be a tuple of ints, got {shape}")
    raise Unanswered("unknown normalized_shape")


def channels_of(input: Tensor) -> Size:
    """The size of dimension 1; raises ShapeError if there is none."""
    if input.rank is not None and input.rank < 2:
        raise ShapeError(f"expected an input of shape (N, C, ...), got {input.shape}")
    return input.shape.size(1)


def by_channel(
    input: Tensor, mean: Tensor | None, var: Tensor | None, weight: Tensor | None, bias: Tensor | None
) -> Tensor:
    """(N, C, *) after a norm whose parameters have C elements; torch accepts (0,) too."""
    empty = input.rank == 1 and same(input.dims[0], 0) is not False
    channels = 0 if empty else channels_of(input)
    shape = input.shape
    for name, given in (("running_mean", mean), ("running_var", var), ("weight", weight), ("bias", bias)):
        count = None if given is None else numel(given.shape)
        if count is None or count == channels:
            continue
        message = f"expected {name} to have {channels} elements, one per channel of {input.shape}, got {count}"
        need_equal(count, channels, message)
        if isinstance(count, int) and not empty:
            shape, channels = shape.with_at(1, count), count
    return fresh_shape(shape, norm_dtype(input, weight, bias, mean, var), input, _kept(input))


def need_several(input: Tensor, axes: Sequence[int], what: str) -> None:
    """Raises ShapeError if all these dimensions are 1, so that there is only one value to normalize over."""
    if input.rank is not None and all(input.dims[axis] == 1 for axis in axes if axis < input.rank):
        raise ShapeError(f"expected more than 1 {what} when training, got input of shape {input.shape}")


def norm_dtype(input: Tensor, *affine: Tensor | None) -> DType | None:
    """The input's dtype; DTypeError if it is not floating-point or the parameters have another one.

    The parameters of a half-precision input may be float32.

    ATen/native/cpu/mixed_data_type.h.
    """
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating:
        raise DTypeError(f"expected the input to have a floating-point dtype, got {dtype}")
    found = {given.dtype for given in affine if given is not None and given.dtype is not None}
    if len(found) > 1:
        raise DTypeError(f"expected all parameters to have the same dtype, got {', '.join(sorted(map(str, found)))}")
    for one in found:
        halves = (bfloat16, float16, None)
        if dtype is not one and dtype is not None and not (dtype in halves and one is float32):
            raise DTypeError(f"expected input and parameters to have the same dtype, got {dtype} and {one}")
    return dtype


def _kept(input: Tensor) -> Layout:
    if input.layout == "channels_last" and input.rank is not None and 1 not in input.dims:
        return "channels_last"
    return "contiguous" if input.layout == "contiguous" else "unknown"
