"""A channels_last input and a contiguous result: the next convolution converts it back, or runs slowly."""

from __future__ import annotations

import torch
from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall, is_new, shown
from shapecheck.runtime.guards.rules.table import rule


@rule("lost-memory-format", None)
def lost_memory_format(call: OperatorCall) -> str | None:
    """All input images are channels_last, and the new image that is returned is not."""
    result = call.result
    if not isinstance(result, Tensor) or result.dim() != 4 or not _is_plain(result):
        return None
    images = [one for one in call.tensors() if one.dim() == 4]
    if not images or not all(map(_is_channels_last, images)) or not all(is_new(call, one) for one in images):
        return None
    return f"{call.name}() loses channels_last: {shown(images[0])} -> {shown(result)} in contiguous format"


def _is_plain(tensor: Tensor) -> bool:
    return tensor.is_contiguous() and not tensor.is_contiguous(memory_format=torch.channels_last)


def _is_channels_last(tensor: Tensor) -> bool:
    return tensor.is_contiguous(memory_format=torch.channels_last) and not tensor.is_contiguous()
