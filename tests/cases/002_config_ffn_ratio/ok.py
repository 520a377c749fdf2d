from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class BlockConfig:
    width: int = 48
    ratio: int = 4
    depth: int = 2
    drop: float = 0.1


class FeedForward(nn.Module):
    def __init__(self, cfg: BlockConfig):
        super().__init__()
        self.fc_in = nn.Linear(cfg.width, cfg.ratio * cfg.width)
        self.fc_out = nn.Linear(cfg.ratio * cfg.width, cfg.width)
        self.drop = nn.Dropout(cfg.drop)

    def forward(self, x):
        return self.drop(self.fc_out(F.gelu(self.fc_in(x))))


class Stack(nn.Module):
    def __init__(self, cfg: BlockConfig):
        super().__init__()
        self.blocks = nn.ModuleList([FeedForward(cfg) for _ in range(cfg.depth)])
        self.norm = nn.LayerNorm(cfg.width)

    def forward(self, x):
        for block in self.blocks:
            x = x + block(self.norm(x))
        return x


def main():
    model = Stack(BlockConfig(width=32))
    print(model(torch.zeros(2, 9, 32)).shape)


if __name__ == "__main__":
    main()
