from torch import nn


class Net(nn.Linear):
    def forward(self, x):
        return nn.Linear.forward(self, x)


def run(net, x):
    return Net.forward(net, x)
