# tally: a base class cannot be resolved
# requires: some_unknown_library
from some_unknown_library import Layer
from torch import Tensor


class Dynamic(Layer):
    def forward(self, x: Tensor) -> Tensor:
        return x
