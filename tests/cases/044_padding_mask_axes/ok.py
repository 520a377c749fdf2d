import math

import torch
from torch import nn


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


class Encoder(nn.Module):
    def __init__(self, vocab=30, dim=32, heads=4):
        super().__init__()
        self.heads = heads
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.qkv = nn.ModuleList([nn.Linear(dim, dim) for _ in range(3)])
        self.out = nn.Linear(dim, dim)

    def forward(self, ids):
        b, t = ids.shape
        x = self.emb(ids)
        q, k, v = (f(x).view(b, t, self.heads, -1).transpose(1, 2) for f in self.qkv)
        mask = (ids != 0)[:, None, None, :]
        x = attention(q, k, v, mask)
        return self.out(x.transpose(1, 2).reshape(b, t, -1))


def main():
    ids = torch.randint(1, 30, (6, 10))
    ids[:, 8:] = 0
    print(Encoder()(ids).shape)


if __name__ == "__main__":
    main()
