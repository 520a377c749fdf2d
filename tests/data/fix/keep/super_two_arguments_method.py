from torch import nn


class Net(nn.Linear):
    def forward(self, input):
        return super(nn.Linear, self).forward(input) if input is None else input
