from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn


class Backbone(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, dim, 3, 2, 1), nn.ReLU(), nn.Conv2d(dim, dim, 3, 2, 1))
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, x):
        return self.pool(self.body(x))


class Index:
    def __init__(self, backbone, gallery, names):
        self.backbone, self.names = backbone.eval(), names
        self.gallery = self.embed(gallery)

    @torch.no_grad()
    def embed(self, images):
        feats = self.backbone(images)
        return F.normalize(feats.squeeze(), dim=1)

    def query(self, image, k=3):
        q = self.embed(image.unsqueeze(0))
        top = (q @ self.gallery.T).topk(k, dim=1).indices[0]
        return [self.names[i] for i in top.tolist()]


def main():
    names = [Path(f"img_{i}.png").stem for i in range(12)]
    index = Index(Backbone(), torch.rand(12, 3, 32, 32), names)
    print(index.query(torch.rand(3, 32, 32)))


if __name__ == "__main__":
    main()
