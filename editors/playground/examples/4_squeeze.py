# A batch of one
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, x: Float[Tensor, "batch 16"]) -> Float[Tensor, "batch"]:
        scores = self.net(x)
        return scores.squeeze()
