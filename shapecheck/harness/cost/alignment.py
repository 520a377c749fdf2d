"""Weights whose sizes tensor cores pad: products run at full speed where their sizes are multiples of 16 bytes.

NVIDIA, Matrix Multiplication Background User's Guide, section 4.1: multiples of 8 for 16-bit operands, of 16 for 8-bit
ones. Only sizes of the model itself are reported, not those of the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import torch
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd
from torch.nn.parameter import is_lazy

from shapecheck.harness.results import ModuleRecord

_SHARE = 0.01
"""The minimum share of the model's operations for a report."""
_FEW_CHANNELS = 4
"""The channels of images, for which libraries have special kernels."""


def misaligned(model: nn.Module, records: Iterable[ModuleRecord], dtype: torch.dtype | None) -> tuple[str, ...]:
    """`head: Linear 768 -> 50257: 50257 is not a multiple of 8`, for each module with a share of the products."""
    multiple = 16 // dtype.itemsize if dtype is not None and dtype.itemsize < 4 else 0
    if not multiple:
        return ()
    flops = {record.path: record.flops for record in records}
    least = _SHARE * flops.get("", 0)
    return tuple(
        text
        for path, module in model.named_modules()
        if flops.get(path, 0) > least
        for text in _description(path, module, multiple)
    )


def _description(path: str, module: nn.Module, multiple: int) -> Iterator[str]:
    for name, (inputs, outputs) in _products(module).items():
        wrong = [size for size in dict.fromkeys((inputs, outputs)) if size % multiple]
        if isinstance(module, _ConvNd) and inputs <= _FEW_CHANNELS:
            wrong = [size for size in wrong if size != inputs]
        if wrong:
            what = " and ".join(map(str, wrong))
            verb = "are not multiples" if len(wrong) > 1 else "is not a multiple"
            yield f"{path or type(module).__name__}: {name} {inputs} -> {outputs}: {what} {verb} of {multiple}"


def _products(module: nn.Module) -> Mapping[str, tuple[int, int]]:
    """The weights of a module as text, with their input and output sizes."""
    kind = type(module).__name__
    if isinstance(module, _ConvNd):
        return {kind: (module.in_channels // module.groups, module.out_channels // module.groups)}
    if isinstance(module, nn.RNNBase):
        matrices = (one for layer in module.all_weights for one in layer[:2])
        return {f"{kind} weight": _sizes(one) for one in matrices if one.dim() == 2}
    weight = getattr(module, "weight", getattr(module, "in_proj_weight", None))
    if (
        isinstance(weight, Tensor)
        and weight.dim() == 2
        and not is_lazy(weight)
        and not isinstance(module, nn.Embedding)
    ):
        return {kind: _sizes(weight)}
    return {}


def _sizes(weight: Tensor) -> tuple[int, int]:
    """Input and output size of a matrix in the layout of torch.nn.functional.linear."""
    return weight.shape[1], weight.shape[0]
