# What is the shape here?
from shapecheck import reveal_shape
from torch import nn


class Block(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, stride=2, padding=1)

    def forward(self, x):
        y = reveal_shape(self.conv(reveal_shape(x)))
        n, c, h, w = y.shape
        return reveal_shape(y.view(n, c, -1))
