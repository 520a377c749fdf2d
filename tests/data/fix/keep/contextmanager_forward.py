# tally: @contextmanager may change the signature
from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor, nn


class Net(nn.Module):
    @contextmanager
    def forward(self, x: Tensor) -> Iterator[Tensor]:
        yield x
