from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class A(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        return x


class B(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # ty: ignore[incompatible-method-override]
        return x


class C(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # pyrefly: ignore[bad-override]
        return x


class D(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # type: ignore
        return x
