"""The tensors within a value, and their gradients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree


def flat(value: Any) -> list[Tensor]:
    """The tensors in a value, in order, including those of records that torch's pytree does not support."""
    found: list[Tensor] = []
    for leaf in pytree.tree_leaves(value):
        found.extend([leaf] if isinstance(leaf, Tensor) else _fields(leaf))
    return found


def _fields(leaf: Any) -> Iterator[Tensor]:
    if not isinstance(leaf, type):
        for name in getattr(leaf, "__dataclass_fields__", ()):
            yield from flat(getattr(leaf, name, None))


def differentiate(results: Sequence[Tensor]) -> bool:
    """Runs backward from the sum of the results that require a gradient; returns False if none does."""
    ends = [one for one in results if one.requires_grad]
    if ends:
        torch.autograd.backward([one.abs().sum() if one.dtype.is_complex else one.sum() for one in ends])
    return bool(ends)
