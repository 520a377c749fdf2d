"""The argument that says which positions of each row are padded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor

from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.search.attempt import tensors

_NAME = re.compile(r"(.*_)?(attention|attn|padding|pad)_mask", re.IGNORECASE)


class PaddingMask(NamedTuple):
    """name: the parameter. shape: that of the batch and the positions."""

    name: str
    shape: tuple[int, int]


def padding_mask(context: CheckContext, named: Mapping[str, Any]) -> PaddingMask | None:
    """The mask with one value for each position of another argument; None if the case states its inputs itself."""
    for name, mask in named.items() if context.subject.declared.inputs is None else ():
        if not _NAME.fullmatch(name) or not isinstance(mask, Tensor) or mask.dim() != 2 or mask.is_floating_point():
            continue
        positions = [one for place, one in tensors(named).items() if place != name and one.shape[:2] == mask.shape]
        if positions and mask.shape[1] > 2 and mask.shape[0] != mask.shape[1]:
            return PaddingMask(name, (mask.shape[0], mask.shape[1]))
    return None


def excluding(mask: Tensor) -> tuple[Tensor, Tensor]:
    """A mask with the last third of its first row excluded, and where that is; its first value is taken for valid."""
    excluded = torch.zeros_like(mask, dtype=torch.bool)
    excluded[0, -max(1, mask.shape[1] // 3) :] = True
    return mask.masked_fill(excluded, bool(mask[0, 0] == 0)), excluded
