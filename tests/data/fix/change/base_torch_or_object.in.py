from typing import TYPE_CHECKING

from torch import Tensor

try:
    from torch import nn

    Base = nn.Module
except ImportError:
    Base = object


class Net(Base):
    def forward(self, x: Tensor) -> Tensor:
        return x
