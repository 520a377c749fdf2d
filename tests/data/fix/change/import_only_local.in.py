import torch.nn as nn


class Block(nn.Module):
    def forward(self, x: "int") -> int:
        return 1
