import itertools
import math

import torch
from torch import nn

STRIDES = (4, 8, 16)


class Backbone(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1))
        self.c3 = nn.Conv2d(width, width, 3, 2, 1)
        self.c4 = nn.Conv2d(width, width, 3, 2, 1)

    def forward(self, x):
        a = torch.relu(self.stem(x))
        b = torch.relu(self.c3(a))
        return [a, b, torch.relu(self.c4(b))]


class AnchorGenerator:
    def __init__(self, strides, ratios=(0.5, 1.0, 2.0), scale=4):
        self.strides, self.ratios, self.scale = strides, ratios, scale

    def cell(self, stride):
        side = stride * self.scale
        return torch.tensor([[side * math.sqrt(r), side / math.sqrt(r)] for r in self.ratios])

    def level(self, stride, height, width):
        rows, cols = -(-height // stride), -(-width // stride)
        centers = [((c + 0.5) * stride, (r + 0.5) * stride) for r, c in itertools.product(range(rows), range(cols))]
        centers = torch.tensor(centers)[:, None].expand(-1, len(self.ratios), 2)
        sizes = self.cell(stride)[None].expand(len(centers), -1, 2)
        return torch.cat([centers, sizes], dim=-1).flatten(0, 1)

    def __call__(self, height, width):
        return torch.cat([self.level(s, height, width) for s in self.strides])


def decode(anchors, deltas):
    centers = anchors[:, :2] + deltas[..., :2] * anchors[:, 2:]
    sizes = anchors[:, 2:] * deltas[..., 2:].clamp(max=4).exp()
    return torch.cat([centers - sizes / 2, centers + sizes / 2], dim=-1)


class RPN(nn.Module):
    def __init__(self, width=8, per_cell=3):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.objectness = nn.Conv2d(width, per_cell, 1)
        self.deltas = nn.Conv2d(width, 4 * per_cell, 1)

    def forward(self, maps):
        scores, deltas = [], []
        for f in maps:
            f = torch.relu(self.conv(f))
            scores.append(self.objectness(f).permute(0, 2, 3, 1).flatten(1))
            deltas.append(self.deltas(f).permute(0, 2, 3, 1).reshape(f.shape[0], -1, 4))
        return torch.cat(scores, 1), torch.cat(deltas, 1)


class Proposals(nn.Module):
    def __init__(self, keep=20):
        super().__init__()
        self.backbone, self.rpn = Backbone(), RPN()
        self.anchors = AnchorGenerator(STRIDES)
        self.keep = keep

    def forward(self, images):
        scores, deltas = self.rpn(self.backbone(images))
        boxes = decode(self.anchors(*images.shape[-2:]), deltas)
        best = scores.topk(self.keep, dim=1).indices
        return boxes.gather(1, best[..., None].expand(-1, -1, 4))


def collate(images):
    height = max(i.shape[1] for i in images)
    width = max(i.shape[2] for i in images)
    batch = torch.zeros(len(images), 3, height, width)
    for slot, image in zip(batch, images):
        slot[:, : image.shape[1], : image.shape[2]] = image
    return batch


if __name__ == "__main__":
    print(Proposals()(collate([torch.rand(3, 100, 128), torch.rand(3, 96, 120)])).shape)
