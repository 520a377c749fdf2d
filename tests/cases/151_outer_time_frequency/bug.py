import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        inv = base ** -(torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("inv", inv, persistent=False)
        self.cache = {}

    def table(self, n):
        if n in self.cache:
            return self.cache[n]
        t = torch.arange(n, dtype=self.inv.dtype)
        angle = t * self.inv
        self.cache[n] = (angle.cos(), angle.sin())
        return self.cache[n]

    def forward(self, x):
        cos, sin = self.table(x.shape[-2])
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def main():
    rope = Rotary(32)
    q, k = rope(torch.randn(2, 4, 50, 32)), rope(torch.randn(2, 4, 50, 32))
    print((q @ k.transpose(-1, -2)).shape)


if __name__ == "__main__":
    main()
