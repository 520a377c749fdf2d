import torch
from torch import Tensor


class Shift(torch.distributions.Transform):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Mine(torch.distributions.Distribution):
    def forward(self, x: Tensor) -> Tensor:
        return x
