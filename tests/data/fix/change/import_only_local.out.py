from typing import TYPE_CHECKING

import torch.nn as nn


class Block(nn.Module):
    def forward(self, x: "int") -> int:
        return 1

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: "int") -> int: ...
