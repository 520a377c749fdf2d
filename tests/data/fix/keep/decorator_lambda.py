from torch import Tensor, nn


class Net(nn.Module):
    @(lambda fn: lambda self, xs: [fn(self, x) for x in xs])
    def forward(self, x: Tensor) -> Tensor:
        return x
