import torch
from torch import nn


class HierarchicalPool(nn.Module):
    """Means of neighbouring pairs of nodes, level by level, back to the nodes."""

    def __init__(self, dim=8, levels=2):
        super().__init__()
        self.levels = levels
        self.mix = nn.ModuleList(nn.Linear(dim, dim) for _ in range(levels))

    def forward(self, x):
        n = x.size(0)
        index = torch.arange(n)
        out = x
        level = x
        for lin in self.mix:
            if level.size(0) % 2:
                level = torch.cat([level, level[-1:]], dim=0)
            level = torch.relu(lin(level.view(-1, 2, level.size(-1)).mean(dim=1)))
            index = torch.div(index, 2, rounding_mode="floor")
            out = out + level[index]
        return out / (self.levels + 1)


def main():
    layer = HierarchicalPool()
    for n in (16, 11):
        print(layer(torch.randn(n, 8)).shape)


if __name__ == "__main__":
    main()
