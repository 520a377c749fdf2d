import typing

from torch import Tensor, nn


class Either(nn.Module):
    @typing.overload
    def forward(self, x: Tensor) -> Tensor: ...

    @typing.overload
    def forward(self, x: list[Tensor]) -> list[Tensor]: ...

    def forward(self, x: Tensor | list[Tensor]) -> Tensor | list[Tensor]:
        return x
