from typing import TYPE_CHECKING

from torch import Tensor, nn


class Fusion(nn.Module):
    def forward(
        self, image_tokens: Tensor, text_tokens: Tensor, image_mask: Tensor, temp: float
    ) -> Tensor:
        return (image_tokens + text_tokens) * image_mask / temp
