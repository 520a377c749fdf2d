from torch import Tensor


class nn:
    class Module:
        pass


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
