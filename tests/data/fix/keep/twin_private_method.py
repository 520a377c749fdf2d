from torch import Tensor, nn


class Net(nn.Module):
    def __forward(self, x: Tensor) -> Tensor:
        return x

    def forward_(self, x: Tensor) -> Tensor:
        return x
