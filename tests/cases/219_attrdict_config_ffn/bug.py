import json

import torch
from torch import nn


class Config(dict):
    """A dict whose keys can be read as attributes."""

    __getattr__ = dict.__getitem__

    def __setattr__(self, k, v):
        self[k] = v


DEFAULTS = json.loads('{"dim": 24, "ffn": {"mult": 4, "act": "gelu"}, "heads": 3, "depth": 2}')
ACTS = {"gelu": nn.GELU, "relu": nn.ReLU, "silu": nn.SiLU}


class FeedForward(nn.Module):
    def __init__(self, dim, mult=4, act="gelu"):
        super().__init__()
        hidden = dim * mult
        self.net = nn.Sequential(nn.Linear(dim, hidden), ACTS[act](), nn.Linear(hidden, dim))

    def forward(self, x):
        return self.net(x)


class Layer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attn = nn.MultiheadAttention(cfg.dim, cfg.heads, batch_first=True)
        self.ffn = FeedForward(cfg.ffn["mult"], cfg.dim)
        self.n1, self.n2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)

    def forward(self, x):
        y = self.n1(x)
        x = x + self.attn(y, y, y)[0]
        return x + self.ffn(self.n2(x))


def main():
    cfg = Config(DEFAULTS, dropout=0.1)
    cfg.max_len = 64
    model = nn.Sequential(*[Layer(cfg) for _ in range(cfg.depth)])
    print(model(torch.randn(2, 7, cfg.dim)).shape)


if __name__ == "__main__":
    main()
