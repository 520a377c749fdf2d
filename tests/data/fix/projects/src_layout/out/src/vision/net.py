from typing import TYPE_CHECKING

from torch import Tensor

from vision import common
from vision.common import Module


class Wide(Module):
    def forward(self, image_tokens: Tensor, text_tokens: Tensor, n: int) -> Tensor:
        return image_tokens + text_tokens * n

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, image_tokens: Tensor, text_tokens: Tensor, n: int) -> Tensor: ...


class Other(common.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
