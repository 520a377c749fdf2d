from dataclasses import dataclass

import torch
from beartype import beartype
from jaxtyping import Bool, Float, Int, jaxtyped
from torch import Tensor, nn


@dataclass(frozen=True)
class Batch:
    ids: Int[Tensor, "b t"]
    keep: Bool[Tensor, "b t"]

    @classmethod
    def random(cls, b: int, t: int) -> "Batch":
        ids = torch.randint(1, 20, (b, t))
        return cls(ids, torch.rand(b, t) > 0.2)


@jaxtyped(typechecker=beartype)
def masked_softmax(
    scores: Float[Tensor, "b q k"], keep: Bool[Tensor, "b k"]
) -> Float[Tensor, "b q k"]:
    scores = scores.masked_fill(~keep[:, None, :], -1e9)
    return torch.softmax(scores, dim=-1)


class CrossReader(nn.Module):
    def __init__(self, vocab: int = 20, dim: int = 16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.query = nn.Linear(dim, dim)

    def forward(self, question: Batch, passage: Batch) -> Float[Tensor, "b q dim"]:
        q, p = self.query(self.emb(question.ids)), self.emb(passage.ids)
        scores = torch.einsum("bqd,bkd->bqk", q, p) * q.size(-1) ** -0.5
        weights = masked_softmax(scores, passage.keep)
        return weights @ p


def main() -> None:
    reader = CrossReader()
    print(reader(Batch.random(3, 6), Batch.random(3, 15)).shape)


if __name__ == "__main__":
    main()
