from typing import TYPE_CHECKING

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise SystemExit("no torch") from error


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x)

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
