from torch import Tensor, nn


class Net(nn.Module):
    pass


def forward(self: Net, x: Tensor) -> Tensor:
    return x


Net.forward = forward
