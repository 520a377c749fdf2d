"""Calls of a model that claims to lie on another device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from shapecheck.harness.fake_copy import fake_call


class Moved(nn.Module):
    """It takes a plain tensor along by itself, and a part of torch's with an `_apply` of its own."""

    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.part = part
        self.scale = [torch.ones(6)]

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        super()._apply(fn, recurse)
        self.scale = [fn(one) for one in self.scale]
        return self

    def forward(self, x: Tensor) -> Any:
        return self.part(x * self.scale[0])


PARTS = [nn.Linear(6, 4), nn.LSTM(6, 4, batch_first=True), nn.GRU(6, 4)]


@pytest.mark.parametrize("model", [nn.LSTM(6, 4), nn.Sequential(nn.GRU(6, 4))], ids=["LSTM", "GRU in a Sequential"])
def test_what_torch_itself_keeps_of_its_parameters(model: nn.Module) -> None:
    result, _ = fake_call(model, (torch.ones(2, 3, 6),), {}, elsewhere=True)
    assert (result.device.type, tuple(result.shape)) == ("meta", (2, 3, 4))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_what_the_model_takes_along_beside_it(part: nn.Module) -> None:
    model = Moved(part)
    result = fake_call(model, (torch.ones(2, 3, 6),), {}, elsewhere=True)
    first = result[0] if isinstance(result, tuple) else result
    assert (first.device.type, tuple(first.shape)) == ("meta", (2, 3, 4))
    assert model.scale[0].device.type == "cpu"
    assert all(one.device.type == "cpu" for one in model.parameters())
