from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class Attend(nn.Module):
    def __init__(self, dropout: float = 0.0, causal: bool = False) -> None:
        super().__init__()
        self.drop, self.causal = nn.Dropout(dropout), causal

    def forward(
        self,
        q: Float[Tensor, "b h i d"],
        k: Float[Tensor, "b h j d"],
        v: Float[Tensor, "b h j d"],
        mask: Bool[Tensor, "b j"] | None = None,
    ) -> Float[Tensor, "b h i d"]:
        sim = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            sim = sim.masked_fill(~mask[:, None], float("-inf"))
        if self.causal:
            i, j = sim.shape[-2:]
            sim = sim.masked_fill(torch.ones(i, j, dtype=torch.bool).triu(j - i + 1), float("-inf"))
        return self.drop(sim.softmax(dim=-1)) @ v


class CrossAttention(nn.Module):
    def __init__(self, dim: int = 24, heads: int = 3) -> None:
        super().__init__()
        self.heads = heads
        self.q, self.kv, self.out = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)
        self.attend = Attend()

    def split(self, x: Float[Tensor, "b n hd"]) -> Float[Tensor, "b h n d"]:
        b, n, _ = x.shape
        return x.reshape(b, n, self.heads, -1).permute(0, 2, 1, 3)

    def forward(
        self, x: Float[Tensor, "b i c"], ctx: Float[Tensor, "b j c"], mask: Bool[Tensor, "b j"] | None = None
    ) -> Float[Tensor, "b i c"]:
        k, v = self.kv(ctx).chunk(2, dim=-1)
        y = self.attend(self.split(self.q(x)), self.split(k), self.split(v), mask)
        return self.out(y.transpose(1, 2).flatten(2))


def main() -> None:
    mask = torch.arange(9)[None, :] < torch.tensor([9, 4])[:, None]
    print(CrossAttention()(torch.randn(2, 5, 24), torch.randn(2, 9, 24), mask).shape)


if __name__ == "__main__":
    main()
