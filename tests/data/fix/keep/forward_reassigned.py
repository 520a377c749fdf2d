from torch import Tensor, nn


def traced(fn):
    return fn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    forward = traced(forward)
