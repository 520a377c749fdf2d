import torch
from torch import nn

BACKBONES = {}
FEATURES = {"small": 32, "medium": 48}


def register(name):
    def add(cls):
        BACKBONES[name] = cls
        return cls

    return add


class Stage(nn.Sequential):
    def __init__(self, c_in, c_out):
        super().__init__(
            nn.Conv2d(c_in, c_out, 3, stride=2, padding=1, bias=False),
            nn.GroupNorm(8, c_out),
            nn.ReLU(),
        )


@register("small")
class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.Sequential(Stage(3, 16), Stage(16, 32))

    def forward(self, x):
        return self.stages(x)


@register("medium")
class Medium(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.Sequential(Stage(3, 16), Stage(16, 32), Stage(32, 64))

    def forward(self, x):
        return self.stages(x)


class BoxHead(nn.Module):
    def __init__(self, features, classes, anchors=3):
        super().__init__()
        self.anchors, self.classes = anchors, classes
        self.tower = nn.Sequential(nn.Conv2d(features, features, 3, padding=1), nn.ReLU())
        self.cls = nn.Conv2d(features, anchors * classes, 1)
        self.box = nn.Conv2d(features, anchors * 4, 1)

    def forward(self, x):
        b, _, h, w = x.shape
        t = self.tower(x)
        scores = self.cls(t).view(b, self.anchors, self.classes, h, w)
        boxes = self.box(t).view(b, self.anchors, 4, h, w)
        return scores.permute(0, 3, 4, 1, 2).flatten(1, 3), boxes.permute(0, 3, 4, 1, 2).flatten(1, 3)


class Detector(nn.Module):
    def __init__(self, backbone="medium", classes=5):
        super().__init__()
        self.backbone = BACKBONES[backbone]()
        self.head = BoxHead(FEATURES[backbone], classes)

    def forward(self, images):
        return self.head(self.backbone(images))


def main():
    scores, boxes = Detector()(torch.rand(2, 3, 64, 64))
    print(scores.shape, boxes.shape)


if __name__ == "__main__":
    main()
