# tally: hand-written __call__
from torch import Tensor, nn


class Base(nn.Module):
    def forward(self, x):
        return x

    def run(self, x):
        return self.forward(x)


class Child(Base):
    def forward(self, x: Tensor) -> Tensor:
        return x

    def __call__(self, x: Tensor) -> Tensor:
        return self.run(x)
