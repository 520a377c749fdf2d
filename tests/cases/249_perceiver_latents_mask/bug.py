import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, q_dim, kv_dim, heads=2, head_dim=8):
        super().__init__()
        inner = heads * head_dim
        self.h = heads
        self.norm_q, self.norm_kv = nn.LayerNorm(q_dim), nn.LayerNorm(kv_dim)
        self.to_q = nn.Linear(q_dim, inner, bias=False)
        self.to_kv = nn.Linear(kv_dim, inner * 2, bias=False)
        self.out = nn.Linear(inner, q_dim)

    def forward(self, x, context=None, mask=None):
        q_in = self.norm_q(x)
        kv_in = q_in if context is None else self.norm_kv(context)
        q, (k, v) = self.to_q(q_in), self.to_kv(kv_in).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in (q, k, v))
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).flatten(2))


class Perceiver(nn.Module):
    def __init__(self, in_dim=10, latents=6, dim=16, self_per_cross=2, classes=3):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(latents, dim))
        self.cross = CrossAttention(dim, in_dim)
        self.blocks = nn.ModuleList([CrossAttention(dim, dim) for _ in range(self_per_cross)])
        self.head = nn.Linear(dim, classes)

    def forward(self, data, mask=None):
        x = self.latents.expand(data.size(0), *self.latents.shape)
        if mask is not None:
            mask = mask[:, None, :, None]
        x = x + self.cross(x, context=data, mask=mask)
        for block in self.blocks:
            x = x + block(x)
        return self.head(x.mean(1))


def main():
    data = torch.randn(3, 20, 10)
    keep = torch.arange(20).expand(3, 20) < torch.tensor([[20], [12], [7]])
    model = Perceiver()
    print(model(data).shape, model(data, keep).shape)


if __name__ == "__main__":
    main()
