from typing import TYPE_CHECKING

from torch import Tensor, nn


class Loose(nn.Module):
    def forward( self , x : Tensor,flag:bool=True )->Tensor :
        return x if flag else -x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__( self , x : Tensor,flag:bool=True )->Tensor : ...
