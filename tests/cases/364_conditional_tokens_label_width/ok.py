import torch
from torch import nn


class TokenBlock(nn.Module):
    def __init__(self, dim, heads, ratio=2.0):
        super().__init__()
        self.norm_attn, self.norm_mlp = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(dim, int(dim * ratio)), nn.GELU(), nn.Linear(int(dim * ratio), dim))

    def forward(self, x):
        y = self.norm_attn(x)
        x = x + self.attn(y, y, y, need_weights=False)[0]
        return x + self.mlp(self.norm_mlp(x))


class TokenGenerator(nn.Module):
    """Predicts image tokens, optionally for a class."""

    def __init__(self, codes=64, length=16, dim=48, heads=4, depth=2, classes=10):
        super().__init__()
        self.codes = nn.Embedding(codes, dim)
        self.places = nn.Parameter(torch.zeros(1, length, dim))
        self.labels = nn.Embedding(classes, dim)
        self.blocks = nn.ModuleList([TokenBlock(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, codes)

    def embed(self, tokens):
        return self.codes(tokens) + self.places[:, : tokens.shape[1]]

    def forward(self, tokens, labels=None):
        x = self.embed(tokens)
        if labels is not None:
            context = self.labels(labels.unsqueeze(1)).expand(-1, x.shape[1], -1)
            x = x + context
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def sample(model, steps=4, batch=2):
    tokens = torch.zeros(batch, 1, dtype=torch.long)
    for _ in range(steps):
        logits = model(tokens)[:, -1]
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], dim=1)
    return tokens


if __name__ == "__main__":
    print(sample(TokenGenerator()).shape)
