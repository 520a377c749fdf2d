"""How the layouts of results differ between two ways to call a model: remarks, because no result is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from shapecheck.harness.probe.memory_layout import layout_text


def layout_remarks(eager: Sequence[Tensor], other: Sequence[Tensor], where: str) -> Iterator[str]:
    """A sentence for each result of the same shape with another layout. where: `under torch.compile`."""
    for index, (one, made) in enumerate(zip(eager, other, strict=False)):
        if one.layout is not torch.strided or made.layout is not torch.strided or one.shape != made.shape:
            continue
        expected, found = layout_text(one.shape, one.stride()), layout_text(made.shape, made.stride())
        if expected != found:
            name = "the result" if len(eager) == 1 else f"result {index}"
            yield f"{name} has the layout {found or 'contiguous'} {where}, {expected or 'contiguous'} in eager mode"
