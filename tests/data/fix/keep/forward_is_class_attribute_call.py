from functools import partial

from torch import nn


class Net(nn.Module):
    def run(self, x):
        return x

    forward = partial(run, None)
