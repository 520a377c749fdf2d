import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
from torch import nn


def pair(t):
    return t if isinstance(t, tuple) else (t, t)


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm, self.fn = nn.LayerNorm(dim), fn

    def forward(self, x, **kw):
        return self.fn(self.norm(x), **kw)


class Attention(nn.Module):
    def __init__(self, dim, heads=4, dim_head=8):
        super().__init__()
        self.heads, self.scale = heads, dim_head ** -0.5
        self.to_qkv = nn.Linear(dim, heads * dim_head * 3, bias=False)
        self.to_out = nn.Linear(heads * dim_head, dim)

    def forward(self, x):
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        attn = (torch.einsum("bhid,bhjd->bhij", q, k) * self.scale).softmax(-1)
        out = torch.einsum("bhij,bhjd->bhid", attn, v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))


class Patchifier(nn.Module):
    def __init__(self, image=24, patch=8, dim=32, channels=3, depth=2):
        super().__init__()
        (h, w), (ph, pw) = pair(image), pair(patch)
        self.n = (h // ph) * (w // pw)
        self.embed = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (p1 p2) (h w c)", p1=ph, p2=pw),
            nn.Linear(channels * ph * pw, dim),
        )
        self.cls = nn.Parameter(torch.randn(dim))
        self.pos = nn.Parameter(torch.randn(self.n + 1, dim))
        self.blocks = nn.ModuleList([PreNorm(dim, Attention(dim)) for _ in range(depth)])

    def forward(self, img):
        x = self.embed(img)
        x = torch.cat((repeat(self.cls, "d -> b 1 d", b=x.shape[0]), x), dim=1) + self.pos
        for block in self.blocks:
            x = block(x) + x
        return x[:, 0]


if __name__ == "__main__":
    print(Patchifier()(torch.randn(2, 3, 24, 24)).shape)
