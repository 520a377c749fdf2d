# tally: ignored by comment
from typing import overload

from torch import Tensor, nn


class Net(nn.Module):  # shapecheck: ignore
    @overload
    def forward(self, x: Tensor) -> Tensor: ...

    @overload
    def forward(self, x: int) -> int: ...

    def forward(self, x: Tensor | int) -> Tensor | int:
        return x
