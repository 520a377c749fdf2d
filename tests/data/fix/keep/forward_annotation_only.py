from collections.abc import Callable

from torch import Tensor, nn


class Net(nn.Module):
    forward: Callable[[Tensor], Tensor]
