from typing import TYPE_CHECKING

from torch import Tensor, nn


class Interface(nn.Module):
    def forward(self, x: Tensor) -> Tensor: ...
