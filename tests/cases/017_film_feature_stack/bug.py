import torch
import torch.nn.functional as F
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, widths=(16, 32, 64), out=24):
        super().__init__()
        stages, cin = [], 3
        for w in widths:
            stages.append(nn.Sequential(nn.Conv2d(cin, w, 3, stride=2, padding=1), nn.BatchNorm2d(w), nn.SiLU()))
            cin = w
        self.stages = nn.ModuleList(stages)
        self.lateral = nn.ModuleDict({f"p{i}": nn.Conv2d(w, out, 1) for i, w in enumerate(widths)})

    def forward(self, x):
        maps = []
        for i, stage in enumerate(self.stages):
            x = stage(x)
            maps.append(self.lateral[f"p{i}"](x))
        size = maps[0].shape[-2:]
        maps = [F.interpolate(m, scale_factor=2, mode="nearest") for m in maps]
        return torch.stack(maps).mean(dim=0)


def main():
    print(Pyramid()(torch.randn(2, 3, 32, 32)).shape)


if __name__ == "__main__":
    main()
