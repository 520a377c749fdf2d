from torch import Tensor, nn


def build(nn: object) -> object:
    class Net(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x

    return Net


assert nn
