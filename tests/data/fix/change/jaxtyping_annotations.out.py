from typing import TYPE_CHECKING

from jaxtyping import Float, Int
from torch import Tensor, nn


class Embed(nn.Module):
    def __init__(self, vocab: int, dim: int) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab, dim)

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t {self.dim}"]:
        y: Tensor = self.table(ids)
        return y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self, ids: Int[Tensor, "b t"]
        ) -> Float[Tensor, "b t {self.dim}"]: ...
