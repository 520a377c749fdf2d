import torch
from torch import nn


class DenseLayer(nn.Module):
    def __init__(self, cin, growth):
        super().__init__()
        self.conv = nn.Conv2d(cin, growth, 3, padding=1)

    def forward(self, *features):
        return torch.relu(self.conv(torch.cat(features, dim=1)))


class DenseBlock(nn.Module):
    def __init__(self, cin, growth, layers):
        super().__init__()
        self.layers = nn.ModuleDict()
        for i in range(layers):
            self.layers[f"layer{i}"] = DenseLayer(cin + i * growth, growth)
        self.out_channels = cin + (layers - 1) * growth

    def forward(self, x):
        features = [x]
        for layer in self.layers.values():
            features.append(layer(*features))
        return torch.cat(features, dim=1)


class DenseNet(nn.Module):
    def __init__(self, growth=6, plan=(2, 3)):
        super().__init__()
        body, c = [nn.Conv2d(3, 12, 3, padding=1)], 12
        for n in plan:
            block = DenseBlock(c, growth, n)
            c = block.out_channels // 2
            body += [block, nn.Conv2d(block.out_channels, c, 1), nn.AvgPool2d(2)]
        self.body, self.fc = nn.Sequential(*body), nn.Linear(c, 10)

    def forward(self, x):
        return self.fc(self.body(x).mean(dim=(2, 3)))


def main():
    print(DenseNet()(torch.rand(2, 3, 16, 16)).shape)


if __name__ == "__main__":
    main()
