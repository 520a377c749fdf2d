from functools import lru_cache
from typing import Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@lru_cache(maxsize=4)
def rotary_table(length: int, width: int, base: float = 10000.0) -> Tuple[Tensor, Tensor]:
    freqs = base ** (-torch.arange(0, width, 2).float() / width)
    angles = torch.outer(torch.arange(length).float(), freqs)
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate_half(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat([-b, a], dim=-1)


def apply_rotary(x: Tensor, offset: int = 0) -> Tensor:
    n, width = x.shape[-2:]
    cos, sin = rotary_table(offset + n, width)
    return x * cos[offset:] + rotate_half(x) * sin[offset:]


class GroupedAttention(nn.Module):
    def __init__(self, dim: int, heads: int, kv_heads: int) -> None:
        super().__init__()
        self.heads, self.kv_heads, self.width = heads, kv_heads, dim // heads
        self.q = nn.Linear(dim, heads * self.width, bias=False)
        self.kv = nn.Linear(dim, 2 * kv_heads * self.width, bias=False)
        self.o = nn.Linear(heads * self.width, dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        b, n, _ = x.shape
        q = self.q(x).view(b, n, self.heads, self.width).transpose(1, 2)
        k, v = self.kv(x).view(b, n, 2, self.kv_heads, self.width).permute(2, 0, 3, 1, 4)
        q, k = apply_rotary(q), apply_rotary(k)
        repeat = self.heads // self.kv_heads
        k, v = k.repeat_interleave(repeat, dim=1), v.repeat_interleave(repeat, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).flatten(2))


class RMSNorm(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Llama(nn.Module):
    def __init__(self, vocab: int = 64, dim: int = 32, heads: int = 4, kv_heads: int = 2, depth: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.attn = nn.ModuleList([GroupedAttention(dim, heads, kv_heads) for _ in range(depth)])
        self.norms = nn.ModuleList([RMSNorm(dim) for _ in range(depth + 1)])

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embed(ids)
        for attn, norm in zip(self.attn, self.norms):
            x = x + attn(norm(x))
        return F.linear(self.norms[-1](x), self.embed.weight)


if __name__ == "__main__":
    ids = torch.randint(0, 64, (2, 11))
    logits = Llama()(ids)
    print(F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten()).item())
