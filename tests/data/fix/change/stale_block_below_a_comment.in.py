from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    forward: object

    # a comment that stood above the block
    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...

    def extra(self) -> int:
        return 1


class Bare(nn.Module):
    # nothing else is left here
    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
