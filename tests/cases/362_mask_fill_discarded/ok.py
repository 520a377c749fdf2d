import torch
from torch import nn


class GatedCrossAttention(nn.Module):
    def __init__(self, width: int, heads: int = 4, size: int = 16):
        super().__init__()
        self.heads = heads
        self.size = size
        self.query = nn.Linear(width, heads * size)
        self.pair = nn.Linear(width, 2 * heads * size)
        self.out = nn.Linear(heads * size, width)

    def split(self, x):
        b, n, _ = x.shape
        return x.view(b, n, self.heads, self.size).transpose(1, 2)

    def forward(self, text, media, has_media=None):
        q = self.split(self.query(text)) * self.size**-0.5
        k, v = map(self.split, self.pair(media).chunk(2, dim=-1))
        scores = q @ k.transpose(-2, -1)
        weights = scores.softmax(dim=-1)
        if has_media is not None:
            alone = ~has_media[:, None, :, None]
            weights = weights.masked_fill(alone, 0.0)
        out = (weights @ v).transpose(1, 2).flatten(2)
        return self.out(out)


def main():
    block = GatedCrossAttention(24)
    text, media = torch.randn(2, 5, 24), torch.randn(2, 7, 24)
    has_media = torch.arange(5)[None] > torch.tensor([[1], [3]])
    print(block(text, media, has_media).shape)


if __name__ == "__main__":
    main()
