import torch
import torch.nn.functional as F
from torch import nn


class ConditionalGenerator(nn.Module):
    def __init__(self, classes=10, z=16, side=14):
        super().__init__()
        self.classes, self.side = classes, side
        self.label = nn.Linear(classes, z)
        self.net = nn.Sequential(nn.Linear(2 * z, 64), nn.ReLU(), nn.Linear(64, side * side), nn.Tanh())

    def forward(self, z, y):
        onehot = F.one_hot(y, num_classes=self.classes)
        cond = self.label(onehot.to(z.dtype))
        out = self.net(torch.cat((z, cond), dim=1))
        return out.view(-1, 1, self.side, self.side)


def grid(images, columns=5):
    n, c, h, w = images.shape
    rows = -(-n // columns)
    padded = torch.cat([images, images.new_zeros(rows * columns - n, c, h, w)])
    return padded.view(rows, columns, c, h, w).permute(2, 0, 3, 1, 4).reshape(c, rows * h, columns * w)


def main():
    y = torch.arange(12) % 10
    images = ConditionalGenerator()(torch.randn(12, 16), y)
    print(grid(images).shape)


if __name__ == "__main__":
    main()
