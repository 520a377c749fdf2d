from collections.abc import Callable
from typing import Any

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    forward: Callable[..., Any] = forward
