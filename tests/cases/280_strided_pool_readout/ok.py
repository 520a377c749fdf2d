import torch
import torch.nn as nn


def conv_out(size, kernel, stride=1, padding=0, dilation=1):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


class EEGNet(nn.Module):
    def __init__(self, chans=8, samples=128, f1=4, d=2, f2=8, kern=32, classes=4):
        super().__init__()
        self.temporal = nn.Sequential(
            nn.ZeroPad2d((kern // 2 - 1, kern // 2, 0, 0)), nn.Conv2d(1, f1, (1, kern), bias=False), nn.BatchNorm2d(f1)
        )
        self.spatial = nn.Sequential(
            nn.Conv2d(f1, f1 * d, (chans, 1), groups=f1, bias=False), nn.BatchNorm2d(f1 * d), nn.ELU(),
            nn.AvgPool2d((1, 4)), nn.Dropout(0.25),
        )
        self.separable = nn.Sequential(
            nn.Conv2d(f1 * d, f1 * d, (1, 16), padding=(0, 8), groups=f1 * d, bias=False),
            nn.Conv2d(f1 * d, f2, 1, bias=False), nn.BatchNorm2d(f2), nn.ELU(),
            nn.AvgPool2d((1, 8)), nn.Flatten(),
        )
        width = conv_out(samples // 4, 16, padding=8) // 8
        self.head = nn.Linear(f2 * width, classes)

    def forward(self, x):
        x = x.unsqueeze(1) if x.ndim == 3 else x
        return self.head(self.separable(self.spatial(self.temporal(x))))


if __name__ == "__main__":
    net = EEGNet()
    for x in (torch.randn(2, 8, 128), torch.randn(5, 1, 8, 128)):
        print(net(x).shape)
