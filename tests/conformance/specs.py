"""Real values to what `infer` takes: tensors to TensorSpecs, dtypes, devices and memory formats to their names."""

from __future__ import annotations

from typing import Any

import torch

from shapecheck import TensorSpec
from shapecheck.ops import find
from shapecheck.spec import Layout, as_dtype

_NAMED = (torch.memory_format, torch.device, torch.layout)


def spec_of(value: Any) -> Any:
    """The same value with a TensorSpec in the place of every tensor, however deep."""
    if isinstance(value, torch.Tensor):
        return tensor_spec(value)
    if isinstance(value, torch.dtype):
        return as_dtype(str(value))
    if isinstance(value, _NAMED):
        return str(value)
    if isinstance(value, (torch.Size, tuple)):
        return tuple(spec_of(one) for one in value)
    if isinstance(value, list):
        return [spec_of(one) for one in value]
    if isinstance(value, dict):
        return {name: spec_of(one) for name, one in value.items()}
    if isinstance(value, torch.nn.TransformerEncoderLayer):
        return encoder_layer_spec(value)
    return value


def encoder_layer_spec(layer: torch.nn.TransformerEncoderLayer) -> Any:
    attention = layer.self_attn
    entry = find("nn.TransformerEncoderLayer")
    assert entry is not None
    return entry.function(
        attention.embed_dim,
        attention.num_heads,
        layer.linear1.out_features,
        batch_first=attention.batch_first,
        norm_first=layer.norm_first,
        bias=layer.linear1.bias is not None,
        dtype=str(layer.linear1.weight.dtype),
    )


def tensor_spec(tensor: torch.Tensor) -> TensorSpec:
    if tensor.layout is not torch.strided:
        return TensorSpec(tuple(tensor.shape), as_dtype(str(tensor.dtype)), device=str(tensor.device))
    layout = layout_of(tensor)
    strides = None if layout in ("contiguous", "channels_last") else tuple(tensor.stride())
    return TensorSpec(tuple(tensor.shape), as_dtype(str(tensor.dtype)), layout, str(tensor.device), strides)


def layout_of(tensor: torch.Tensor) -> Layout:
    if tensor.is_contiguous():
        return "contiguous"
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    last = formats.get(tensor.dim())
    return "channels_last" if last is not None and tensor.is_contiguous(memory_format=last) else "non-contiguous"
