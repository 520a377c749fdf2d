from typing import TYPE_CHECKING

from torch import Tensor, nn


class Block(nn.Module):
    forward: object
    # a comment that stood above the block

    def extra(self) -> int:
        return 1


class Bare(nn.Module):
    pass
    # nothing else is left here
