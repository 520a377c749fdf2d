import math

import torch
from torch import nn


class RelativeBias(nn.Module):
    def __init__(self, heads, buckets=16, distance=32):
        super().__init__()
        self.buckets, self.distance = buckets, distance
        self.table = nn.Embedding(buckets, heads)

    def bucket(self, relative):
        half = self.buckets // 2
        offset = (relative > 0).long() * half
        n = relative.abs()
        exact = half // 2
        large = exact + (
            torch.log(n.clamp(min=1).float() / exact) / math.log(self.distance / exact) * (half - exact)
        ).long()
        return offset + torch.where(n < exact, n, large.clamp(max=half - 1))

    def forward(self, queries, keys):
        relative = torch.arange(keys)[None] - torch.arange(queries)[:, None]
        return self.table(self.bucket(relative)).permute(2, 0, 1)[None]


class BiasedAttention(nn.Module):
    def __init__(self, dim, heads, bias=None):
        super().__init__()
        self.heads, self.bias = heads, bias
        self.q, self.kv, self.o = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)

    def forward(self, x, memory=None):
        source = x if memory is None else memory
        b, n, d = x.shape
        m = source.shape[1]
        q = self.q(x).view(b, n, self.heads, -1).transpose(1, 2)
        k, v = self.kv(source).view(b, m, 2, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT
        if self.bias is not None:
            scores = scores + self.bias(n, m)
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


class Seq2SeqLayer(nn.Module):
    def __init__(self, dim, heads, bias, cross):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.attn = BiasedAttention(dim, heads, bias)
        self.cross = BiasedAttention(dim, heads, bias) if cross else None
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))

    def forward(self, x, memory=None):
        x = x + self.attn(self.norm(x))
        if self.cross is not None:
            x = x + self.cross(self.norm(x), memory)
        return x + self.ff(x)


class TinyT5(nn.Module):
    def __init__(self, vocab=40, dim=16, heads=2, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        enc, dec = RelativeBias(heads), RelativeBias(heads)
        self.encoder = nn.ModuleList([Seq2SeqLayer(dim, heads, enc, False) for _ in range(depth)])
        self.decoder = nn.ModuleList([Seq2SeqLayer(dim, heads, dec, True) for _ in range(depth)])

    def forward(self, source, target):
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, memory)
        return x @ self.embed.weight.t()


if __name__ == "__main__":
    print(TinyT5()(torch.randint(0, 40, (3, 9)), torch.randint(0, 40, (3, 5))).shape)
