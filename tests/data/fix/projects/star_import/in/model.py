from typing import TYPE_CHECKING

from blocks import *
from torch import Tensor


class Net(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
