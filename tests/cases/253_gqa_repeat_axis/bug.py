import torch
import torch.nn.functional as F
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim=48, n_heads=6, n_kv=2, max_len=32):
        super().__init__()
        if n_heads % n_kv:
            raise ValueError("heads must be divisible by kv heads")
        self.n_heads, self.n_kv, self.hd = n_heads, n_kv, dim // n_heads
        self.wq = nn.Linear(dim, n_heads * self.hd, bias=False)
        self.wk = nn.Linear(dim, n_kv * self.hd, bias=False)
        self.wv = nn.Linear(dim, n_kv * self.hd, bias=False)
        self.wo = nn.Linear(n_heads * self.hd, dim, bias=False)
        freqs = 1.0 / 10000 ** (torch.arange(0, self.hd, 2)[: self.hd // 2].float() / self.hd)
        t = torch.outer(torch.arange(max_len, dtype=torch.float32), freqs)
        self.register_buffer("freqs", torch.polar(torch.ones_like(t), t))

    def rope(self, x):
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        f = self.freqs[: x.shape[1]].view(1, x.shape[1], 1, -1)
        return torch.view_as_real(z * f).flatten(3).type_as(x)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.rope(self.wq(x).view(b, t, self.n_heads, self.hd))
        k = self.rope(self.wk(x).view(b, t, self.n_kv, self.hd))
        v = self.wv(x).view(b, t, self.n_kv, self.hd)
        rep = self.n_heads // self.n_kv
        k, v = k.repeat_interleave(rep, dim=1), v.repeat_interleave(rep, dim=1)
        q, k, v = (z.transpose(1, 2) for z in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v)
        return self.wo(y.transpose(1, 2).contiguous().view(b, t, -1))


if __name__ == "__main__":
    print(GroupedQueryAttention()(torch.randn(2, 9, 48)).shape)
