from torch import Tensor


class Meta(type):
    def forward(cls, x: Tensor) -> Tensor:
        return x


class Net(metaclass=Meta):
    def forward(self, x: Tensor) -> Tensor:
        return x
