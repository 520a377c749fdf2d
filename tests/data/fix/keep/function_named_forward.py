import torch
from torch import Tensor


def forward(self: object, x: Tensor) -> Tensor:
    return torch.relu(x)


def patch(model: object) -> None:
    model.forward = forward
