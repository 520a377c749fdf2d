from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from torch import Tensor, nn


class Loss(nn.Module, ABC):
    @abstractmethod
    def forward(self, prediction: Tensor, target: Tensor) -> Tensor: ...

    def name(self) -> str:
        return type(self).__name__
