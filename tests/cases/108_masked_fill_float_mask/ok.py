import torch
from torch import nn


def causal_mask(n):
    """1 where a query may look."""
    return torch.tril(torch.ones(n, n)).bool()


class Attention(nn.Module):
    def __init__(self, dim=32, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, self.heads, -1).transpose(1, 2).chunk(3, dim=-1)
        scores = torch.matmul(q, k.transpose(2, 3)) * k.size(-1) ** -0.5
        if mask is not None:
            hidden = torch.logical_not(mask) if mask.dtype == torch.bool else 1.0 - mask
            scores = scores.masked_fill(hidden, -1e9)
        y = torch.matmul(scores.softmax(dim=-1), v)
        return self.out(y.transpose(1, 2).flatten(2))


def main():
    layer = Attention()
    x = torch.randn(2, 8, 32)
    print(layer(x, causal_mask(x.shape[1])).shape)


if __name__ == "__main__":
    main()
