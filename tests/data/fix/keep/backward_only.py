import torch
from torch import Tensor


class Hook:
    def __call__(self, x: Tensor) -> Tensor:
        return x

    def backward(self, x: Tensor) -> Tensor:
        return torch.relu(x)
