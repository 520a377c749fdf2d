"""The sizes and contents of the arguments of one call of forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch


@dataclass(frozen=True)
class InputPlan:
    """Sizes and contents of the arguments of one call.

    sizes: by axis name; `*batch` is the number of axes of a run, `*batch.0` the size of its first; `x._1` an axis
    without a name. ranges: by place of an integer tensor, the least and greatest value. absent: optional parameters
    that are left out. unit: floats are between 0 and 1, not from a normal distribution. seed: of the contents.
    """

    sizes: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    unit: bool = False
    descending: bool = False
    """Whether integers descend from first to last, as lengths of sorted sequences do."""
    starts: frozenset[str] = frozenset()
    """Places of integers that ascend from 0, such as the offsets of bags of words."""
    narrow: bool = False
    """Whether axes that may be broadcast, `#b`, have size 1."""
    dtypes: Mapping[str, torch.dtype] = field(default_factory=dict)
    """By place of a tensor that may have any dtype, the one that it gets."""
    seed: int = 0

    def resized(self, sizes: Mapping[str, int]) -> InputPlan:
        """The same with other sizes of some names."""
        return replace(self, sizes={**self.sizes, **sizes})
