import argparse
import json

import torch
from torch import nn

DEFAULT = """
{"stem": 16, "stages": [{"width": 16, "stride": 1}, {"width": 24, "stride": 1}, {"width": 32, "stride": 2}], "classes": 7}
"""


class Shortcut(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        if stride != 1:
            self.map = nn.Sequential(nn.Conv2d(c_in, c_out, 1, stride, bias=False), nn.BatchNorm2d(c_out))
        else:
            self.map = nn.Identity()

    def forward(self, x):
        return self.map(x)


class Residual(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.branch = nn.Sequential(
            nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False),
            nn.BatchNorm2d(c_out),
            nn.ReLU(),
            nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False),
            nn.BatchNorm2d(c_out),
        )
        self.shortcut = Shortcut(c_in, c_out, stride)

    def forward(self, x):
        return torch.relu(self.branch(x) + self.shortcut(x))


class Net(nn.Module):
    @classmethod
    def from_config(cls, config):
        return cls(config["stem"], [(s["width"], s["stride"]) for s in config["stages"]], config["classes"])

    def __init__(self, stem, stages, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, stem, 3, padding=1)
        blocks, width = [], stem
        for out, stride in stages:
            blocks.append(Residual(width, out, stride))
            width = out
        self.blocks = nn.ModuleList(blocks)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean((-2, -1)))


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default=None)
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--image-size", type=int, default=24)
    return parser.parse_args(argv)


def main(argv=None):
    args = parse(argv)
    config = json.loads(open(args.config).read() if args.config else DEFAULT)
    net = Net.from_config(config)
    images = torch.rand(args.batch_size, 3, args.image_size, args.image_size)
    print(net(images).argmax(1))


if __name__ == "__main__":
    main([])
