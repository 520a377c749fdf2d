#!/usr/bin/env python
# Auto-generated on 2026-01-01
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
