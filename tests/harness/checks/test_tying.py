"""Memory that two parameters share, and memory that they only lie next to each other in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from shapecheck.harness.checks.tying import overlap

WHOLE = torch.zeros(6, 4).requires_grad_()
SHARED: dict[str, Callable[[Tensor], tuple[Tensor, Tensor]]] = {
    "the same elements": lambda one: (one, one),
    "transposed": lambda one: (one, one.t()),
    "the first rows": lambda one: (one, one[:2]),
    "the last rows": lambda one: (one[4:], one),
    "rows that overlap": lambda one: (one[:4], one[2:]),
}
APART: dict[str, Callable[[Tensor], tuple[Tensor, Tensor]]] = {
    "halves": lambda one: (one[:3], one[3:]),
    "columns": lambda one: (one[:, :2], one[:, 2:]),
    "every second row": lambda one: (one[::2], one[1::2]),
    "constants": lambda one: (one.detach(), one.detach()[:2]),
}


@pytest.mark.parametrize("pair", SHARED.values(), ids=SHARED)
def test_shared_elements_are_found(pair: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
    assert overlap(*pair(WHOLE))


@pytest.mark.parametrize("pair", APART.values(), ids=APART)
def test_neighbors_share_nothing(pair: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
    assert not overlap(*pair(WHOLE))
