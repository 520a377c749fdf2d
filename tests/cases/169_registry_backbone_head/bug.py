import torch
import torch.nn as nn

BACKBONES = {}


def register(name):
    def wrap(cls):
        BACKBONES[name] = cls
        return cls

    return wrap


class Backbone(nn.Module):
    out_channels: int = 0

    def features(self, x):
        raise NotImplementedError

    def forward(self, x):
        return self.features(x).mean(dim=(2, 3))


@register("tiny")
class Tiny(Backbone):
    out_channels = 24

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 12, 3, 2, 1), nn.ReLU6(), nn.Conv2d(12, self.out_channels, 3, 2, 1))

    def features(self, x):
        return self.body(x)


@register("wide")
class Wide(Backbone):
    out_channels = 64

    def __init__(self, stem=32):
        super().__init__()
        self.stem = nn.Conv2d(3, stem, 7, stride=4, padding=3)
        self.proj = nn.Conv2d(stem, self.out_channels, 1)

    def features(self, x):
        return self.proj(self.stem(x).relu())


class Classifier(nn.Module):
    def __init__(self, name, num_classes):
        super().__init__()
        self.backbone = BACKBONES[name]()
        self.fc = nn.Linear(Tiny.out_channels, num_classes)

    def forward(self, x):
        return self.fc(self.backbone(x))


def main():
    images = torch.rand(4, 3, 32, 32)
    for name in ("tiny", "wide"):
        print(name, Classifier(name, 5)(images).shape)


if __name__ == "__main__":
    main()
