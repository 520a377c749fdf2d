from typing import TYPE_CHECKING

from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class A(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: int) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride]


class B(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # ty: ignore[incompatible-method-override]
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: int) -> Tensor: ...  # ty: ignore[incompatible-method-override]


class C(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # pyrefly: ignore[bad-override]
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: int) -> Tensor: ...  # pyrefly: ignore[bad-override]


class D(Encoder):
    def forward(self, x: Tensor, y: int) -> Tensor:  # type: ignore
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor, y: int) -> Tensor: ...  # type: ignore
