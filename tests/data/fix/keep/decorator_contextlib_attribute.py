# tally: @contextlib.contextmanager may change the signature
import contextlib
from collections.abc import Iterator

from torch import Tensor, nn


class Net(nn.Module):
    @contextlib.contextmanager
    def forward(self, x: Tensor) -> Iterator[Tensor]:
        yield x
