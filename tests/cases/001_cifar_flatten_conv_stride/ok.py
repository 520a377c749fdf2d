from collections import OrderedDict

import torch
from torch import nn


class SmallCifarNet(nn.Module):
    def __init__(self, classes: int = 10):
        super().__init__()
        self.features = nn.Sequential(
            OrderedDict(
                [
                    ("conv1", nn.Conv2d(3, 32, kernel_size=5, stride=1, padding=2)),
                    ("act1", nn.ReLU(inplace=True)),
                    ("pool1", nn.MaxPool2d(kernel_size=2)),
                    ("conv2", nn.Conv2d(32, 48, kernel_size=3)),
                    ("act2", nn.ReLU(inplace=True)),
                    ("pool2", nn.MaxPool2d(kernel_size=2)),
                ]
            )
        )
        self.classifier = nn.Sequential(
            nn.Dropout(0.25),
            nn.Linear(48 * 7 * 7, 120),
            nn.ReLU(),
            nn.Linear(120, classes),
        )

    def forward(self, x):
        x = self.features(x)
        x = torch.flatten(x, start_dim=1)
        return self.classifier(x)


def main():
    net = SmallCifarNet()
    print(net(torch.randn(8, 3, 32, 32)).shape)


if __name__ == "__main__":
    main()
