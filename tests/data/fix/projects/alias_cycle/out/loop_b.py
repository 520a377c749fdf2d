# requires: never_installed_on_purpose
from loop_a import Thing
from torch import Tensor


class Net(Thing):
    def forward(self, x: Tensor) -> Tensor:
        return x
