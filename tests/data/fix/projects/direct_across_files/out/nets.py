from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


class Hand(nn.Module):
    def forward(self, x):
        return x

    def __call__(self, x):
        return [self.forward(x)]
