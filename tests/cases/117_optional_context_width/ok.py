from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class CrossAttention(nn.Module):
    def __init__(self, dim: int, context_dim: int | None = None, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(context_dim or dim, 2 * dim, bias=False)
        self.out = nn.Linear(dim, dim)

    def forward(
        self,
        x: Float[Tensor, "b n dim"],
        context: Float[Tensor, "b m ctx"] | None = None,
        mask: Bool[Tensor, "b m"] | None = None,
    ) -> Float[Tensor, "b n dim"]:
        context = x if context is None else context
        q, (k, v) = self.q(x), self.kv(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        if mask is not None:
            mask = mask[:, None, None, :]
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).flatten(2))


def main() -> None:
    this = CrossAttention(32)
    cross = CrossAttention(32, context_dim=20)
    x, ctx = torch.randn(2, 9, 32), torch.randn(2, 5, 20)
    keep = torch.arange(5)[None, :] < torch.tensor([5, 3])[:, None]
    print(cross(this(x), ctx, keep).shape)


if __name__ == "__main__":
    main()
