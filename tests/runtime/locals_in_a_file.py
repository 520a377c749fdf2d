"""Functions with annotated local variables, in a file that pytest does not rewrite. Lines are asked for by tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from shapecheck import checked, print_bindings


@checked
def project(x: Float[Tensor, "b d"], w: Float[Tensor, "d e"], wrong: int = 0) -> Float[Tensor, "b e"]:
    # a comment
    y: Float[Tensor, "b e"] = x @ (w[:, :-1] if wrong == 1 else w)
    if wrong == 2:
        z: Float[Tensor, "2*b"] = torch.cat([x, x, x])[:, 0]
        return z
    return y


def outer(scale: float, n: int) -> Any:
    count = [0]

    @checked
    def inner(x: Float[Tensor, "b"], *, size: int = n) -> Float[Tensor, "b m"]:
        nonlocal scale
        scale += 1
        count[0] += 1
        y: Float[Tensor, "b m"] = x[:, None].expand(-1, size) * scale
        assert y.shape[1] == size
        return y

    return inner, count


class Base(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


@checked
class Net(Base):
    __hidden = 3
    width = 4

    def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
        y: Float[Tensor, "b {self.width}"] = super().forward(x)[:, : self.width]
        for _ in range(2):
            z: Float[Tensor, "b h"] = y[:, : self.__hidden]
        return x if z.shape[1] == 3 else y


@checked
def items(x: Float[Tensor, "b"]) -> Iterator[Float[Tensor, "b"]]:
    for item in x:
        y: Float[Tensor, "b"] = item.expand(len(x) if item == 0 else 1)
        yield y


@checked
async def later(x: Float[Tensor, "*batch d"]) -> Tensor:
    y: Float[Tensor, "*batch"] = x.sum(-1) if x.shape[-1] < 5 else x
    return y


@checked
def nothing_to_check(x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
    y: Tensor = x
    n: Any[1] = 3
    unset: Float[Tensor, "q q"]  # noqa: F842
    return y * n


@checked
def nested(x: Float[Tensor, "b"]) -> Any:
    y: Float[Tensor, "b"] = x

    def inner(z: Tensor) -> Tensor:
        y: Float[Tensor, "b b"] = z
        return y

    return inner(y)


@checked
def shows(x: Float[Tensor, "b"]) -> None:
    y: Float[Tensor, "b c"] = x[:, None]  # noqa: F841
    print_bindings()


@checked
def asks(x: Float[Tensor, "b d"], y: Tensor) -> tuple[bool, bool]:
    return isinstance(y, Float[Tensor, "d b"]), isinstance(y, Tensor)
