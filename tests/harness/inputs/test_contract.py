"""What the source of a forward says of its shapes."""

from __future__ import annotations

from jaxtyping import Float, Int
from torch import Tensor, nn

from shapecheck.harness.contract import written


class Decoder(nn.Module):
    def forward(  # type: ignore[no-untyped-def]
        self,
        x: Float[Tensor, "b t"],
        mask: Int[Tensor, "b t"] | None = None,
        *,
        scale: float = 1.0,
        shift=0,
        last: bool,
    ) -> Float[Tensor, "b t"]:
        return x * scale


class Plain(nn.Module):
    def forward(self, x: int = 1) -> int:
        return x


def test_a_signature_has_the_spaces_of_its_source() -> None:
    assert written(Decoder) == (
        "(x: Float[Tensor, 'b t'], mask: Int[Tensor, 'b t'] | None = None, *, scale: float = 1.0, shift=0, last: bool)"
        " -> Float[Tensor, 'b t']"
    )


def test_a_signature_without_shapes_is_not_shown() -> None:
    assert written(Plain) == ""
