import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class SelfAttention(nn.Module):
    def __init__(self, d_model: int = 32, n_heads: int = 4) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(
        self, x: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"] | None = None
    ) -> Float[Tensor, "b t d"]:
        b, t, d = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None, :], float("-inf"))
        ctx = scores.softmax(dim=-1) @ v
        ctx = ctx.permute(0, 2, 1, 3).flatten(2)
        return self.out(ctx)


def main() -> None:
    x = torch.randn(2, 6, 32)
    mask = torch.arange(6)[None] < torch.tensor([6, 4])[:, None]
    print(SelfAttention()(x, mask).shape)


if __name__ == "__main__":
    main()
