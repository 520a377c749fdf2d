import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Coupled(nn.Module):
    """Reversible residual block: two streams in, two streams out."""

    def __init__(self, dim):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.ReLU())
        self.g = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.ReLU())

    def forward(self, x1, x2):
        y1 = x1 + self.f(x2)
        y2 = x2 + self.g(y1)
        return y1, y2


class RevNet(nn.Module):
    def __init__(self, dim=12, depth=3, save_memory=False):
        super().__init__()
        self.inp, self.out = nn.Linear(5, 2 * dim), nn.Linear(dim, 3)
        self.blocks = nn.ModuleList(Coupled(dim) for _ in range(depth))
        self.save_memory = save_memory

    def forward(self, x):
        x1, x2 = self.inp(x).chunk(2, dim=-1)
        for block in self.blocks:
            if self.save_memory and self.training:
                x1, x2 = checkpoint(block, x1, x2, use_reentrant=False)
            else:
                x1, x2 = block(x1, x2)
        return self.out(torch.cat((x1, x2), dim=-1))


def main():
    x = torch.randn(4, 5)
    for save in (False, True):
        RevNet(save_memory=save)(x).sum().backward()


if __name__ == "__main__":
    main()
