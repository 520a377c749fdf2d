import math

import torch
from torch import nn


class RelativeBias(nn.Module):
    """T5-style relative positions in logarithmic buckets."""

    def __init__(self, heads=4, buckets=16, max_distance=64):
        super().__init__()
        self.buckets, self.max_distance = buckets, max_distance
        self.table = nn.Embedding(buckets, heads)

    def bucket(self, rel):
        n = self.buckets // 2
        side = (rel > 0).long() * n
        rel = rel.abs()
        exact = n // 2
        scale = (n - exact) / math.log(self.max_distance / exact)
        large = exact + torch.log(rel.float().clamp(min=1) / exact).mul(scale)
        large = large.clamp(max=n - 1).long()
        return side + torch.where(rel < exact, rel, large)

    def forward(self, q_len, k_len):
        q = torch.arange(q_len)[:, None]
        k = torch.arange(k_len)[None, :]
        values = self.table(self.bucket(k - q))
        return values.permute(2, 0, 1).unsqueeze(0)


class Attention(nn.Module):
    def __init__(self, dim=32, heads=4):
        super().__init__()
        self.h, self.d = heads, dim // heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim, bias=False) for _ in range(4))
        self.bias = RelativeBias(heads)

    def forward(self, x):
        b, n, _ = x.shape
        split = lambda t: t.view(b, n, self.h, self.d).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        att = (q @ k.mT + self.bias(n, n)).softmax(-1)
        return self.o((att @ v).transpose(1, 2).reshape(b, n, -1))


if __name__ == "__main__":
    print(Attention()(torch.randn(2, 20, 32)).shape)
