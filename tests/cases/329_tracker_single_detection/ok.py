import random

import torch
from torch import nn


def iou(a, b):
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    top = torch.maximum(a[:, None, :2], b[None, :, :2])
    bottom = torch.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = (bottom - top).clamp(min=0).prod(-1)
    return inter / (area_a[:, None] + area_b[None] - inter)


class Detector(nn.Module):
    def __init__(self, anchors=16):
        super().__init__()
        self.anchors = anchors
        self.net = nn.Sequential(nn.Conv2d(1, 8, 5, stride=4), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.boxes, self.scores = nn.Linear(128, anchors * 4), nn.Linear(128, anchors)

    def forward(self, frame):
        f = self.net(frame[None])
        raw = self.boxes(f).view(self.anchors, 2, 2).sigmoid()
        return torch.cat([raw.amin(1), raw.amax(1) + 0.1], dim=1), self.scores(f).sigmoid()[0]


def keep_confident(boxes, scores, threshold):
    keep = (scores > threshold).nonzero().squeeze(1)
    return boxes[keep], scores[keep]


class Tracker:
    def __init__(self, detector, threshold=0.5, match=0.1):
        self.detector, self.threshold, self.match = detector.eval(), threshold, match
        self.tracks, self.next_id = {}, 0

    def _new(self, box):
        self.tracks[self.next_id] = box
        self.next_id += 1

    @torch.no_grad()
    def step(self, frame):
        boxes, scores = self.detector(frame)
        threshold = min(self.threshold, float(scores.max()) - 1e-6)
        boxes, scores = keep_confident(boxes, scores, threshold)
        if not self.tracks:
            for box in boxes:
                self._new(box)
            return
        names = list(self.tracks)
        overlap = iou(torch.stack([self.tracks[n] for n in names]), boxes)
        for column in range(overlap.shape[1]):
            best, row = overlap[:, column].max(0)
            if best > self.match:
                self.tracks[names[int(row)]] = boxes[column]
            else:
                self._new(boxes[column])


def main():
    torch.manual_seed(0)
    tracker = Tracker(Detector(), threshold=0.5)
    tracker.step(torch.rand(1, 64, 64))
    tracker.threshold = 0.99
    for _ in range(random.Random(0).randint(2, 3)):
        tracker.step(torch.rand(1, 64, 64))
    print(len(tracker.tracks))


if __name__ == "__main__":
    main()
