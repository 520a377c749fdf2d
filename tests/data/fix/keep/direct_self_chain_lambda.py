from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return self.apply_twice(x)

    def apply_twice(self, x):
        again = lambda y: self.forward(y)  # noqa: E731
        return again if x is None else x
