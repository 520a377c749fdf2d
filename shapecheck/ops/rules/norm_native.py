"""The norms as `torch.*` and aten operators declare them: in another order, with the statistics as results."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops.registry import op
from shapecheck.ops.rules.norm import (
    batch_norm,
    by_channel,
    channels_of,
    group_norm,
    instance_norm,
    layer_norm,
    normalized,
    rms_norm,
)
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape
from shapecheck.spec import CallError, DType, Shape, Size
from shapecheck.spec.dtype import bfloat16, float16, float32, uint8


@op("torch.batch_norm", "aten.batch_norm")
def torch_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: object,
    eps: object,
    cudnn_enabled: object,
) -> Tensor:
    """As `batch_norm`, in torch's order."""
    if training is True:
        return by_channel(input, running_mean, running_var, weight, bias)
    return batch_norm(input, running_mean, running_var, weight, bias, training)


@op("torch.instance_norm", "aten.instance_norm")
def torch_instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: object,
    eps: object,
    cudnn_enabled: object,
) -> Tensor:
    """As `instance_norm`, in torch's order."""
    if use_input_stats is True:
        out = by_channel(input, running_mean, running_var, weight, bias)
        return fresh_shape(out.shape, out.dtype, input)
    return instance_norm(input, running_mean, running_var, weight, bias, use_input_stats)


@op("native_layer_norm")
def native_layer_norm(
    input: Tensor, normalized_shape: Sequence[Size], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """layer_norm, and the mean and reciprocal deviation with 1 for each normalized dimension."""
    out = layer_norm(input, normalized_shape, weight, bias, eps)
    stat = _row_statistic(input, len(normalized(normalized_shape)), _statistic_dtype(input, weight, bias))
    return out, stat, stat


@op("_fused_rms_norm")
def fused_rms_norm(
    input: Tensor, normalized_shape: Sequence[Size], weight: Tensor | None, eps: float | None
) -> tuple[Tensor, Tensor]:
    """rms_norm, and the reciprocal root mean square with 1 for each normalized dimension."""
    out = rms_norm(input, normalized_shape, weight, eps)
    dtype = float32 if input.dtype in (bfloat16, float16) else input.dtype
    return out, _row_statistic(input, len(normalized(normalized_shape)), dtype)


@op("native_group_norm")
def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: Size,
    C: object,
    HxW: object,
    group: Size,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """group_norm, and the mean and reciprocal deviation, (N, group)."""
    out = group_norm(input, group, weight, bias, eps)
    stat = fresh((N, group), _statistic_dtype(input, weight, bias), input)
    return out, stat, stat


@op("native_batch_norm")
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: object,
    eps: object,
) -> tuple[Tensor, Tensor, Tensor]:
    """batch_norm, and the batch's mean and reciprocal deviation, (C,) when training and (0,) otherwise."""
    if training is False and (running_mean is None or running_var is None):
        raise CallError("running_mean and running_var are required unless training is True")
    out = by_channel(input, running_mean, running_var, weight, bias)
    dims = (channels_of(input),) if training else (0,)
    stat = fresh(dims, _statistic_dtype(input, weight, bias, running_mean, running_var), input)
    return out, stat, stat


@op("_native_batch_norm_legit")
def native_batch_norm_legit(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | bool | None,
    running_var: Tensor | float | None,
    training: bool | float,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[Tensor, Tensor, Tensor]:
    """As `native_batch_norm`; the statistics may be omitted."""
    if isinstance(running_mean, bool):
        return native_batch_norm(input, weight, bias, None, None, running_mean, momentum, eps)
    return native_batch_norm(input, weight, bias, running_mean, running_var, training is True, momentum, eps)  # type: ignore[arg-type]


@op("_native_batch_norm_legit_no_training")
def native_batch_norm_eval(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """As `native_batch_norm` when not training."""
    return native_batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps)


@op("_batch_norm_with_update")
def batch_norm_with_update(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """As `native_batch_norm` when training, and a workspace."""
    results = native_batch_norm(input, weight, bias, running_mean, running_var, True, momentum, eps)
    return *results, fresh((0,), uint8, input)


@op("_batch_norm_no_update")
def batch_norm_no_update(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """As `native_batch_norm` when not training, and a workspace."""
    results = native_batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps)
    return *results, fresh((0,), uint8, input)


def _row_statistic(input: Tensor, count: int, dtype: DType | None) -> Tensor:
    shape = input.shape
    for place in range(-count, 0):
        shape = shape.with_at(place, 1)
    return fresh_shape(Shape(shape.head, shape.run, shape.tail), dtype, input)


def _statistic_dtype(input: Tensor, *affine: Tensor | None) -> DType | None:
    """float32 if the parameters are, or on an accelerator; otherwise that of a half-precision input."""
    if input.dtype not in (bfloat16, float16):
        return input.dtype
    if any(given is not None and given.dtype is float32 for given in affine):
        return float32
    if input.device is None:
        return None
    return input.dtype if input.device == "cpu" else float32
