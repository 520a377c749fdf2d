from torch import nn


class Net(nn.Module):
    def forward(self, x, depth=0):
        if depth > 3:
            return x
        return self.step(self.forward(x, depth + 1))

    def step(self, x):
        return self.finish(x)

    def finish(self, x):
        return x if x is None else self.forward(x, 4)
