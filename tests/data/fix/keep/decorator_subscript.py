from torch import Tensor, nn

WRAPPERS = {"list": lambda fn: lambda self, xs: [fn(self, x) for x in xs]}


class Net(nn.Module):
    @WRAPPERS["list"]
    def forward(self, x: Tensor) -> Tensor:
        return x
