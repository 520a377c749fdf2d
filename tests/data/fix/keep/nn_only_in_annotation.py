from __future__ import annotations

from torch import Tensor, nn


class Runner:
    model: nn.Module

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.model(x)
        return y
