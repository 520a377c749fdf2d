from typing import TYPE_CHECKING

from torch import Tensor, nn


class Prior(nn.Module):
    def forward(
        self,
    ) -> tuple[Tensor, Tensor, Tensor]:
        raise NotImplementedError
