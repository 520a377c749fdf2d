#!/usr/bin/env python3

import torch
from torch import Tensor


class Block(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
