import torch
from einops import rearrange
from einops.layers.torch import Rearrange
from torch import einsum, nn


class Attention(nn.Module):
    def __init__(self, dim, heads=4, dim_head=12):
        super().__init__()
        inner = heads * dim_head
        self.heads, self.scale = heads, dim_head**-0.5
        self.to_q = nn.Linear(dim, inner, bias=False)
        self.to_kv = nn.Linear(dim, inner * 2, bias=False)
        self.to_out = nn.Linear(inner, dim)

    def forward(self, x, context):
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (q, k, v))
        sim = einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        out = einsum("b h i j, b h j d -> b h i d", sim.softmax(dim=-1), v)
        out = rearrange(out, "b h n d -> b n (h d)")
        return self.to_out(out)


class Perceiver(nn.Module):
    def __init__(self, latents=6, dim=32, channels=20):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(latents, dim))
        self.inp = nn.Sequential(Rearrange("b c h w -> b (h w) c"), nn.Linear(channels, dim))
        self.attn = Attention(dim)

    def forward(self, x):
        lat = self.latents.expand(x.shape[0], -1, -1)
        return lat + self.attn(lat, self.inp(x))


def main():
    print(Perceiver()(torch.randn(3, 20, 5, 5)).shape)


if __name__ == "__main__":
    main()
