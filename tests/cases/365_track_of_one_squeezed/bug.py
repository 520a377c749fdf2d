import torch
from torch import nn


class CropEncoder(nn.Module):
    def __init__(self, width=16, dim=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, width, 3, stride=2, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, dim, 3, stride=2, padding=1),
            nn.ReLU(),
        )

    def forward(self, crops):
        return self.net(crops).mean(dim=(2, 3))


class Matcher(nn.Module):
    """Compares the crops of the detections in a frame with the tracks of the earlier ones."""

    def __init__(self, dim=32, slots=8):
        super().__init__()
        self.encoder = CropEncoder(dim=dim)
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.tracks = nn.Parameter(torch.randn(slots, dim))

    def forward(self, crops):
        features = self.encoder(crops)
        if features.shape[0] == 1:
            features = features.squeeze(0)
        keys = self.project(features)
        scores = keys @ self.tracks.t()
        return scores.softmax(dim=1), keys


def assign(model, crops, threshold=0.2):
    scores, keys = model(crops)
    best, index = scores.max(dim=-1)
    return torch.where(best > threshold, index, torch.full_like(index, -1)), keys


def main():
    torch.manual_seed(0)
    model = Matcher().eval()
    for detections in (5, 3):
        index, keys = assign(model, torch.rand(detections, 3, 32, 32))
        print(index.tolist(), tuple(keys.shape))


if __name__ == "__main__":
    main()
