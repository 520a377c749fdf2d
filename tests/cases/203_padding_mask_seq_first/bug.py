import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads, batch_first=True):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=batch_first)
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, pad):
        a, _ = self.attn(x, x, x, key_padding_mask=pad, need_weights=False)
        x = self.ln1(x + a)
        return self.ln2(x + self.mlp(x))


class TextEncoder(nn.Module):
    def __init__(self, vocab=80, dim=16, heads=2, depth=2, max_len=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.pos = nn.Parameter(torch.zeros(max_len, dim))
        self.blocks = nn.ModuleList(Block(dim, heads, batch_first=False) for _ in range(depth))

    def forward(self, ids):
        pad = ids.eq(0)
        x = self.emb(ids) + self.pos[: ids.size(1)]
        for block in self.blocks:
            x = block(x, pad)
        n = (~pad).sum(1, keepdim=True).clamp(min=1)
        return x.masked_fill(pad.unsqueeze(-1), 0.0).sum(1) / n


def main():
    ids = torch.randint(1, 80, (3, 11))
    ids[0, 8:] = 0
    ids[2, 5:] = 0
    print(TextEncoder()(ids).shape)


if __name__ == "__main__":
    main()
