from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Beam(NamedTuple):
    ids: Int[Tensor, "batch beam time"]
    score: Float[Tensor, "batch beam"]


def expand(beam: Beam, logp: Float[Tensor, "batch beam vocab"]) -> Beam:
    b, k, v = logp.shape
    total = beam.score.unsqueeze(-1) + logp
    score, flat = total.view(b, k * v).topk(k, dim=-1)
    parent, token = flat // v, flat % v
    ids = beam.ids.gather(1, parent.unsqueeze(-1).expand(-1, -1, beam.ids.shape[-1]))
    ids = torch.cat([ids, token.unsqueeze(-1)], dim=-1)
    return Beam(ids, score)


class TinyLM(nn.Module):
    def __init__(self, vocab: int = 17, dim: int = 8):
        super().__init__()
        self.emb, self.out = nn.Embedding(vocab, dim), nn.Linear(dim, vocab)

    def forward(self, ids: Int[Tensor, "batch beam time"]) -> Float[Tensor, "batch beam vocab"]:
        return self.out(self.emb(ids).mean(dim=2)).log_softmax(-1)


@torch.no_grad()
def search(model: TinyLM, start: Int[Tensor, "batch"], beams: int = 3, steps: int = 4) -> Int[Tensor, "batch time"]:
    ids = start[:, None, None].repeat(1, beams, 1)
    score = torch.full((start.shape[0], beams), -1e9)
    score[:, 0] = 0.0
    beam = Beam(ids, score)
    for _ in range(steps):
        beam = expand(beam, model(beam.ids))
    best = beam.score.argmax(dim=1)
    return beam.ids[torch.arange(start.shape[0]), best]


def main() -> None:
    print(search(TinyLM(), torch.tensor([1, 2])).shape)


if __name__ == "__main__":
    main()
