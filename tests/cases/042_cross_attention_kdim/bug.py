import torch
from torch import nn


class CrossBlock(nn.Module):
    def __init__(self, dim, context_dim, heads=4):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, context):
        y, _ = self.attn(self.norm(x), context, context, need_weights=False)
        x = x + y
        return x + self.mlp(x)


class TextToImage(nn.Module):
    def __init__(self, vocab=90, text_dim=96, dim=64):
        super().__init__()
        self.text = nn.Embedding(vocab, text_dim)
        self.inp = nn.Conv2d(4, dim, 1)
        self.block = CrossBlock(dim, text_dim)
        self.out = nn.Conv2d(dim, 4, 1)

    def forward(self, latent, ids):
        h = self.inp(latent)
        b, c, height, width = h.shape
        tokens = self.block(h.flatten(2).transpose(1, 2), self.text(ids))
        return self.out(tokens.transpose(1, 2).reshape(b, c, height, width))


def main():
    print(TextToImage()(torch.randn(2, 4, 8, 8), torch.randint(0, 90, (2, 7))).shape)


if __name__ == "__main__":
    main()
