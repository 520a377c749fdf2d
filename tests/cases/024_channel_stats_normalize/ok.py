import torch
from torch import nn

MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]


class Normalize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean).view(1, -1, 1, 1))
        self.register_buffer("std", torch.tensor(std).view(1, -1, 1, 1))

    def forward(self, x):
        return (x - self.mean) / self.std


class StyleFeatures(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Normalize(MEAN, STD)
        self.conv = nn.Conv2d(3, 12, 3, padding=1)

    def gram(self, f):
        b, c, h, w = f.size()
        f = f.view(b, c, h * w)
        return f.bmm(f.transpose(1, 2)) / (c * h * w)

    def forward(self, x):
        return self.gram(torch.relu(self.conv(self.norm(x))))


def main():
    a, b = torch.rand(1, 3, 64, 64), torch.rand(1, 3, 64, 64)
    net = StyleFeatures()
    print((net(a) - net(b)).pow(2).sum().item())


if __name__ == "__main__":
    main()
