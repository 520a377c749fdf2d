from typing import TYPE_CHECKING

from torch import Tensor, nn


class Attention(nn.Module):
    def forward(
        self,
        hidden_states: Tensor,
        layer_past: tuple[Tensor] | None = None,
    ) -> (
        tuple[Tensor, tuple[Tensor]]
        | tuple[Tensor, tuple[Tensor], tuple[Tensor, ...]]
        | None
    ):
        return None
