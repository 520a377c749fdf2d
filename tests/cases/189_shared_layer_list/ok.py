import torch
from torch import nn


class GatedBlock(nn.Module):
    def __init__(self, dim, expansion=2):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, 2 * expansion * dim)
        self.proj = nn.Linear(expansion * dim, dim)

    def forward(self, x):
        a, b = self.fc(self.norm(x)).chunk(2, dim=-1)
        return x + self.proj(a * b.sigmoid())


class Tower(nn.Module):
    def __init__(self, n_in=10, dim=16, depth=4, n_out=2):
        super().__init__()
        self.stem = nn.Linear(n_in, dim)
        self.layers = nn.ModuleList([GatedBlock(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, n_out)

    def forward(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def main():
    tower = Tower()
    print(count_parameters(tower), tower(torch.randn(3, 10)).shape)


if __name__ == "__main__":
    main()
