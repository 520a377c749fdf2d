from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class EncoderConfig:
    vocab: int = 50
    dim: int = 32
    heads: int = 4
    depth: int = 2
    max_len: int = 20


class MultiHead(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.heads, self.width = cfg.heads, cfg.dim // cfg.heads
        self.query, self.key, self.value = (nn.Linear(cfg.dim, cfg.dim) for _ in range(3))
        self.out = nn.Linear(cfg.dim, cfg.dim)

    def split(self, t):
        b, n, _ = t.shape
        return t.view(b, self.heads, n, self.width)

    def forward(self, x, mask=None):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-1, -2) / self.width**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        y = scores.softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(x.shape))


class EncoderLayer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attn = MultiHead(cfg)
        self.norm1, self.norm2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)
        self.ff = nn.Sequential(nn.Linear(cfg.dim, 2 * cfg.dim), nn.ReLU(), nn.Linear(2 * cfg.dim, cfg.dim))

    def forward(self, x, mask):
        x = self.norm1(x + self.attn(x, mask))
        return self.norm2(x + self.ff(x))


class LanguageModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.position = nn.Embedding(cfg.max_len, cfg.dim)
        self.layers = nn.ModuleList([EncoderLayer(cfg) for _ in range(cfg.depth)])
        self.head = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, ids):
        n = ids.shape[1]
        x = self.embed(ids) + self.position(torch.arange(n))
        mask = torch.ones(n, n, dtype=torch.bool).triu(1)
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x)


def corpus(length=400, vocab=50):
    step = torch.randint(1, 5, (length,))
    return step.cumsum(0) % vocab


def main():
    cfg = EncoderConfig()
    model, text = LanguageModel(cfg), corpus()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for start in range(0, 100, 50):
        chunk = torch.stack([text[start + i : start + i + 13] for i in range(8)])
        logits = model(chunk[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), chunk[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
