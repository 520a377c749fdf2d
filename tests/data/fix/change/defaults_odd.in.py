from typing import TYPE_CHECKING

from torch import Tensor, nn


class Rearrange(nn.Module):
    def forward(
        self, x: Tensor, pattern: str = "b (h w): -> # [c]", sep: str = ")"
    ) -> Tensor:
        return x if pattern and sep else -x
