from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
  def __init__(self) -> None:
    super().__init__()

  def forward(self,
              x: Tensor,
              y: Tensor) -> Tensor:
    return x + y

  if TYPE_CHECKING:  # shapecheck: from forward

    def __call__(self,
                 x: Tensor,
                 y: Tensor) -> Tensor: ...
