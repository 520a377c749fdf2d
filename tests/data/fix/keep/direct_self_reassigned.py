from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x

    def run(self, other, x):
        self = other
        return self.forward(x)  # finding: note
