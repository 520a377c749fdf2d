from typing import TYPE_CHECKING

from torch import Tensor, nn


class Mixer(nn.Module):
    def forward(
        self,
        x: Tensor,  # [batch, tokens, channels]
        # the mask says which tokens count: (yes)
        mask: Tensor,
    ) -> Tensor:
        return x * mask
