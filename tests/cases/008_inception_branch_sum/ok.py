import torch
from torch import nn


class ConvBnRelu(nn.Module):
    def __init__(self, cin, cout, **kwargs):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, bias=False, **kwargs)
        self.bn = nn.BatchNorm2d(cout)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class Inception(nn.Module):
    def __init__(self, cin, c1, c3, c5, pool):
        super().__init__()
        self.b1 = ConvBnRelu(cin, c1, kernel_size=1)
        self.b3 = nn.Sequential(
            ConvBnRelu(cin, c3[0], kernel_size=1), ConvBnRelu(c3[0], c3[1], kernel_size=3, padding=1)
        )
        self.b5 = nn.Sequential(
            ConvBnRelu(cin, c5[0], kernel_size=1), ConvBnRelu(c5[0], c5[1], kernel_size=5, padding=2)
        )
        self.bp = nn.Sequential(nn.MaxPool2d(3, stride=1, padding=1), ConvBnRelu(cin, pool, kernel_size=1))

    def forward(self, x):
        return torch.cat([branch(x) for branch in (self.b1, self.b3, self.b5, self.bp)], dim=1)


class Net(nn.Sequential):
    def __init__(self):
        super().__init__(
            Inception(16, 8, (8, 16), (2, 4), 4),
            Inception(32, 16, (16, 24), (4, 8), 8),
        )


def main():
    print(Net()(torch.randn(1, 16, 20, 20)).shape)


if __name__ == "__main__":
    main()
