import torch
from jaxtyping import Float
from torch import Tensor, nn


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, cin: int, cout: int, stride: int = 1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.shortcut = nn.Identity()
        if stride != 1 or cin != self.expansion * cout:
            self.shortcut = nn.Conv2d(cin, self.expansion * cout, 1, stride, bias=False)

    def forward(self, x):
        out = torch.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return torch.relu(out + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, plan=((16, 1), (32, 1), (64, 2)), classes: int = 10):
        super().__init__()
        layers, cin = [], 16
        for cout, stride in plan:
            layers.append(BasicBlock(cin, cout, stride))
            cin = cout
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.layers = nn.Sequential(*layers)
        self.fc = nn.Linear(cin, classes)

    def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b classes"]:
        return self.fc(self.layers(self.stem(x)).mean((2, 3)))


def main():
    print(ResNet()(torch.randn(2, 3, 16, 16)).shape)


if __name__ == "__main__":
    main()
