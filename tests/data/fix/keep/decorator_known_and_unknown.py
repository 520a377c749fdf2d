# tally: @shifted may change the signature
import torch
from torch import Tensor, nn


def shifted(fn):
    return lambda self, x: fn(self, x + 1)


class Net(nn.Module):
    @torch.no_grad()
    @shifted
    def forward(self, x: Tensor) -> Tensor:
        return x
