import torch
import torch.nn.functional as F
from torch import nn


class KeypointNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 1, 1))
        self.score = nn.Conv2d(width, 1, 1)
        self.desc = nn.Conv2d(width, 8, 1)

    def forward(self, img):
        f = self.trunk(img)
        return torch.sigmoid(self.score(f)), F.normalize(self.desc(f), dim=1)


def top_points(score, desc, k=10):
    """score (B, 1, H, W), desc (B, 8, H, W) -> values (B, k), descriptors (B, k, 8)"""
    flat = score.squeeze(1).flatten(1)
    value, index = flat.topk(k, dim=1)
    d = desc.flatten(2).transpose(1, 2)
    picked = d.gather(1, index.unsqueeze(-1).expand(-1, -1, d.size(-1)))
    return value, picked


def main():
    net = KeypointNet().eval()
    with torch.inference_mode():
        value, picked = top_points(*net(torch.rand(1, 3, 32, 40)))
    print(value.shape, picked.shape)


if __name__ == "__main__":
    main()
