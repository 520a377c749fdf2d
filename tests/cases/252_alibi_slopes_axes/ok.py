import math

import torch
from torch import nn


def get_slopes(n):
    def power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start ** i for i in range(n)]

    if math.log2(n).is_integer():
        return power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return power_of_2(closest) + get_slopes(2 * closest)[0::2][: n - closest]


class ALiBiAttention(nn.Module):
    def __init__(self, dim, heads, max_len=64):
        super().__init__()
        self.heads, self.dim_head = heads, dim // heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        slopes = torch.tensor(get_slopes(heads)).view(heads, 1, 1)
        dist = torch.arange(max_len)[None, :] - torch.arange(max_len)[:, None]
        self.register_buffer("alibi", slopes * dist[None].float(), persistent=False)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, self.dim_head).permute(2, 0, 3, 1, 4).unbind(0)
        sim = q @ k.transpose(-1, -2) / math.sqrt(self.dim_head)
        sim = sim + self.alibi[:, :n, :n]
        causal = torch.ones(n, n, dtype=torch.bool).triu(1)
        attn = sim.masked_fill(causal, -torch.finfo(sim.dtype).max).softmax(dim=-1)
        return self.out((attn @ v).transpose(1, 2).reshape(b, n, d))


def main():
    for heads in (4, 6):
        print(ALiBiAttention(24, heads)(torch.randn(2, 10, 24)).shape)


if __name__ == "__main__":
    main()
