# tally: ignored by comment
from torch import Tensor, nn


class Net(nn.Module):
    def forward(  # shapecheck: ignore
        self,
        x: Tensor,
    ) -> Tensor:
        return x
