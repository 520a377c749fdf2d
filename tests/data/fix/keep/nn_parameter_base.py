from torch import Tensor, nn


class Weight(nn.Parameter):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Holder(nn.ParameterList):
    pass
