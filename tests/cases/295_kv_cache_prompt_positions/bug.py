from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class DecoderConfig:
    vocab: int = 50
    dim: int = 32
    heads: int = 4
    layers: int = 2
    max_len: int = 64


class CachedAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.heads = cfg.heads
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)
        self.out = nn.Linear(cfg.dim, cfg.dim)

    def forward(self, x, cache=None):
        b, n, d = x.shape
        q, k, v = (t.view(b, n, self.heads, d // self.heads).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=n > 1)
        return self.out(y.transpose(1, 2).reshape(b, n, d)), (k, v)


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)
        self.attn = CachedAttention(cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, 4 * cfg.dim), nn.GELU(), nn.Linear(4 * cfg.dim, cfg.dim))

    def forward(self, x, cache=None):
        y, cache = self.attn(self.norm1(x), cache)
        x = x + y
        return x + self.mlp(self.norm2(x)), cache


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tokens = nn.Embedding(cfg.vocab, cfg.dim)
        self.positions = nn.Parameter(torch.zeros(1, cfg.max_len, cfg.dim))
        self.blocks = nn.ModuleList([Block(cfg) for _ in range(cfg.layers)])
        self.head = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, ids, caches=None):
        past = 0 if caches is None else caches[0][0].shape[2]
        pos = self.positions[:, : past + ids.shape[1]]
        x = self.tokens(ids)
        x += pos
        new = []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, None if caches is None else caches[i])
            new.append(cache)
        return self.head(x), new


@torch.no_grad()
def generate(model, prompt, steps):
    ids, caches, fed = prompt, None, prompt
    for _ in range(steps):
        logits, caches = model(fed, caches)
        fed = logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, fed], dim=1)
    return ids


def main():
    model = Decoder(DecoderConfig()).eval()
    print(generate(model, torch.randint(0, 50, (2, 5)), 6).shape)


if __name__ == "__main__":
    main()
