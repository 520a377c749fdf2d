"""The argument that says which positions of each row are padded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip
from shapecheck.harness.search.attempt import tensors

_NAME = re.compile(r"(.*_)?(attention|attn|padding|pad)_mask", re.IGNORECASE)


def padding_mask(context: CheckContext, named: Mapping[str, Any]) -> tuple[str, tuple[int, int]]:
    """The mask with one value for each position of another input, and its shape. Raises Skip if there is none."""
    if context.subject.declared.inputs is not None:
        raise Skip("inputs are given by the case")
    for name, mask in named.items():
        if not _NAME.fullmatch(name) or not isinstance(mask, Tensor) or mask.dim() != 2 or mask.is_floating_point():
            continue
        positions = [one for place, one in tensors(named).items() if place != name and one.shape[:2] == mask.shape]
        if positions and mask.shape[1] > 2 and mask.shape[0] != mask.shape[1]:
            return name, (mask.shape[0], mask.shape[1])
    raise Skip("no mask with a value for each position of an input")
