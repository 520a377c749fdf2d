from typing import TYPE_CHECKING, TypedDict

from torch import Tensor, nn
from typing_extensions import Unpack


class AttentionKwargs(TypedDict, total=False):
    causal: bool
    window: int


class Attention(nn.Module):
    def forward(self, x: Tensor, **kwargs: Unpack[AttentionKwargs]) -> Tensor:
        return x if kwargs.get("causal", True) else x.flip(1)
