"""Operators between floating-point and quantized tensors."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, axis, need_equal
from shapecheck.ops.shared.factories import dtype_given
from shapecheck.spec import DType, DTypeError, TensorSpec, as_dtype
from shapecheck.spec.dtype import DEFAULT_FLOAT

_STORED = {"qint8": "int8", "quint8": "uint8", "qint32": "int32", "quint4x2": "uint8", "quint2x4": "uint8"}


@op("quantize_per_tensor")
def quantize_per_tensor(input: Tensor, scale: object, zero_point: object, dtype: object) -> Tensor:
    """The shape stays, the dtype is the given quantized one."""
    return _as(input, _quantised(dtype))


@op("quantize_per_tensor_dynamic")
def quantize_per_tensor_dynamic(input: Tensor, dtype: object, reduce_range: object) -> Tensor:
    """The shape stays, the dtype is the given quantized one."""
    return _as(input, _quantised(dtype))


@op("quantize_per_channel")
def quantize_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, dtype: object) -> Tensor:
    """The shape stays; there is a scale and a zero point per channel."""
    _need_channels(input, scales, axis)
    return _as(input, _quantised(dtype))


@op("fake_quantize_per_tensor_affine")
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: object, zero_point: object, quant_min: object, quant_max: object
) -> Tensor:
    """The shape and the dtype stay."""
    return _as(input, input.dtype)


@op("fake_quantize_per_channel_affine")
def fake_quantize_per_channel_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: object, quant_max: object
) -> Tensor:
    """The shape and the dtype stay; there is a scale per channel."""
    _need_channels(input, scale, axis)
    return _as(input, input.dtype)


@op("dequantize")
def dequantize(tensor: Tensor) -> Tensor:
    """The default float dtype in the same shape."""
    return _as(tensor, DEFAULT_FLOAT)


@op("int_repr")
def int_repr(input: Tensor) -> Tensor:
    """The integers that a quantized tensor stores."""
    if input.dtype is None or input.dtype.name not in _STORED:
        return _as(input, None)  # a test of one tensor for quantization also applies to others
    return _as(input, as_dtype(_STORED[input.dtype.name]))


def _as(input: Tensor, dtype: DType | None) -> Tensor:
    return TensorSpec.make(
        input.shape, dtype, "contiguous" if input.layout == "contiguous" else "unknown", input.device
    )


def _quantised(dtype: object) -> DType | None:
    wanted = dtype_given(dtype)
    if wanted is not None and wanted.kind != "quantised":
        raise DTypeError(f"expected a quantized dtype such as torch.qint8 or torch.quint8, got {wanted}")
    return wanted


def _need_channels(input: Tensor, scales: Tensor, at: int) -> None:
    if input.rank is None or scales.rank is None:
        return
    channels, given = input.dims[axis(at, len(input.dims))], scales.dims
    if len(given) == 1:
        message = f"expected scales of shape ({channels},), one per channel, got {scales.shape}"
        need_equal(given[0], channels, message)
