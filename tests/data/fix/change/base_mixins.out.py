from typing import TYPE_CHECKING

from torch import Tensor, nn


class SaveMixin:
    def save(self) -> None: ...


class Saved(SaveMixin, nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...


class Keyword(nn.Module, metaclass=type):
    def forward(self, x: Tensor) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...
