from typing import NamedTuple

from torch import Tensor


class Out(NamedTuple):
    forward: Tensor
    backward: Tensor


def read(out: Out) -> Tensor:
    return out.forward
