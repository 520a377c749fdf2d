import torch
from torch import nn


def train(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    loss: torch.Tensor = model(x).mean()
    loss.backward()
    return loss
