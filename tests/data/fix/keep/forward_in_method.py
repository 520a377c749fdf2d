from torch import Tensor, nn


class Net(nn.Module):
    def build(self) -> object:
        def forward(x: Tensor) -> Tensor:
            return x

        return forward
