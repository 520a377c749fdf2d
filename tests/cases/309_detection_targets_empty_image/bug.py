import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

ANNOTATIONS = [
    {"id": 0, "boxes": [[2, 2, 10, 12], [4, 6, 20, 24]], "labels": [1, 2]},
    {"id": 1, "boxes": [], "labels": []},
    {"id": 2, "boxes": [[1, 1, 8, 8]], "labels": [2]},
    {"id": 3, "boxes": [[8, 4, 30, 30]], "labels": [1]},
]


class Annotated(Dataset):
    def __init__(self, annotations, size=32):
        self.annotations, self.size = annotations, size

    def __len__(self):
        return len(self.annotations)

    def __getitem__(self, i):
        record = self.annotations[i]
        boxes = torch.tensor(record["boxes"], dtype=torch.float32)
        labels = torch.tensor(record["labels"], dtype=torch.long)
        return torch.rand(3, self.size, self.size), {"boxes": boxes, "labels": labels}


def collate(batch):
    images, targets = zip(*batch)
    return torch.stack(images), list(targets)


def flat_targets(targets):
    index = torch.cat([torch.full((len(t["labels"]),), i) for i, t in enumerate(targets)])
    boxes = torch.cat([t["boxes"] for t in targets])
    return index, boxes, torch.cat([t["labels"] for t in targets])


def center_size(boxes):
    x1, y1, x2, y2 = boxes.unbind(-1)
    return torch.stack([(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1], dim=-1)


class PointDetector(nn.Module):
    def __init__(self, classes=3, width=8, stride=4):
        super().__init__()
        self.stride = stride
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.ReLU()
        )
        self.cls, self.box = nn.Conv2d(width, classes, 1), nn.Conv2d(width, 4, 1)

    def forward(self, images):
        f = self.features(images)
        return self.cls(f), self.box(f)

    def loss(self, images, targets):
        scores, regression = self(images)
        index, boxes, labels = flat_targets([{**t, "boxes": center_size(t["boxes"])} for t in targets])
        col, row = (boxes[:, :2] / self.stride).long().clamp(max=scores.shape[-1] - 1).unbind(-1)
        cls = nn.functional.cross_entropy(scores[index, :, row, col], labels)
        return cls + nn.functional.l1_loss(regression[index, :, row, col], boxes / 32)


def main():
    loader = DataLoader(Annotated(ANNOTATIONS), batch_size=2, collate_fn=collate)
    model = PointDetector()
    for images, targets in loader:
        print(model.loss(images, targets).item())


if __name__ == "__main__":
    main()
