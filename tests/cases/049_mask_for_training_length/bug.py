import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, dim, size, block):
        super().__init__()
        self.key = nn.Linear(dim, size, bias=False)
        self.query = nn.Linear(dim, size, bias=False)
        self.value = nn.Linear(dim, size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block, block)))

    def forward(self, x):
        t = x.shape[1]
        wei = self.query(x) @ self.key(x).transpose(-2, -1) * x.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril == 0, float("-inf"))
        return F.softmax(wei, dim=-1) @ self.value(x)


class Babbler(nn.Module):
    def __init__(self, vocab=26, dim=32, heads=4, block=32):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(block, dim)
        self.heads = nn.ModuleList(Head(dim, dim // heads, block) for _ in range(heads))
        self.lm = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        return self.lm(torch.cat([h(x) for h in self.heads], dim=-1))


def main():
    model = Babbler()
    idx = torch.zeros(1, 12, dtype=torch.long)
    for _ in range(3):
        nxt = model(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat([idx, nxt], dim=1)
    print(idx.shape)


if __name__ == "__main__":
    main()
