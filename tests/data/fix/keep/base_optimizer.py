import torch
from torch import Tensor


class Sgd(torch.optim.Optimizer):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Data(torch.utils.data.Dataset):
    def forward(self, x: Tensor) -> Tensor:
        return x
