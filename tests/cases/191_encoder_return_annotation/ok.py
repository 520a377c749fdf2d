from typing import NamedTuple

import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn

Tokens = Int[Tensor, "batch seq"]
Hidden = Float[Tensor, "batch seq dim"]


class EncoderOutput(NamedTuple):
    hidden: Tensor
    pooled: Tensor


class MeanPool(nn.Module):
    @jaxtyped(typechecker=beartype)
    def forward(self, hidden: Hidden, tokens: Tokens) -> Float[Tensor, "batch dim"]:
        keep = (tokens != 0).unsqueeze(-1)
        total = (hidden * keep).sum(dim=1)
        return total / keep.sum(dim=1).clamp(min=1)


class Encoder(nn.Module):
    def __init__(self, vocab: int = 60, dim: int = 16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.mix = nn.Linear(dim, dim)
        self.pool = MeanPool()

    def forward(self, tokens: Tokens) -> EncoderOutput:
        h = torch.tanh(self.mix(self.emb(tokens)))
        return EncoderOutput(h, self.pool(h, tokens))


def main() -> None:
    out = Encoder()(torch.randint(0, 60, (4, 9)))
    print(out.hidden.shape, out.pooled.shape)


if __name__ == "__main__":
    main()
