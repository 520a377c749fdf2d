"""The tensors within a value, and their gradients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree


def flat(value: Any) -> list[Tensor]:
    """The tensors in a value, in their order; those of a record, too, of which torch's pytree knows nothing."""
    found: list[Tensor] = []
    for leaf in pytree.tree_leaves(value):
        found.extend([leaf] if isinstance(leaf, Tensor) else _fields(leaf))
    return found


def _fields(leaf: Any) -> Iterator[Tensor]:
    if not isinstance(leaf, type):
        for name in getattr(leaf, "__dataclass_fields__", ()):
            yield from flat(getattr(leaf, name, None))


def differentiate(results: Sequence[Tensor]) -> bool:
    """Runs backward from the sum of those that have a gradient; False where none has."""
    ends = [one for one in results if one.requires_grad]
    if ends:
        torch.autograd.backward([one.abs().sum() if one.dtype.is_complex else one.sum() for one in ends])
    return bool(ends)
