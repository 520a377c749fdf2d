import torch
from torch import Tensor


class Named(Tensor):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Sampler(torch.utils.data.Sampler):
    def forward(self, x: Tensor) -> Tensor:
        return x
