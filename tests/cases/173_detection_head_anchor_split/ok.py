import torch
from torch import nn


class YoloHead(nn.Module):
    def __init__(self, in_channels, anchors, num_classes):
        super().__init__()
        self.num_anchors = len(anchors)
        self.num_classes = num_classes
        self.no = num_classes + 5
        self.register_buffer("anchors", torch.tensor(anchors).float())
        self.pred = nn.Conv2d(in_channels, self.num_anchors * (num_classes + 5), kernel_size=1)

    @staticmethod
    def grid(ny, nx):
        yv, xv = torch.meshgrid(torch.arange(ny), torch.arange(nx), indexing="ij")
        return torch.stack((xv, yv), 2).view(1, 1, ny, nx, 2).float()

    def forward(self, x):
        bs, _, ny, nx = x.shape
        p = self.pred(x)
        p = p.view(bs, self.num_anchors, self.no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
        xy = (p[..., 0:2].sigmoid() * 2 - 0.5) + self.grid(ny, nx)
        wh = (p[..., 2:4].sigmoid() * 2) ** 2 * self.anchors.view(1, self.num_anchors, 1, 1, 2)
        return torch.cat((xy, wh, p[..., 4:].sigmoid()), -1).view(bs, -1, self.no)


class Detector(nn.Module):
    def __init__(self, nc=3):
        super().__init__()
        self.s8 = nn.Sequential(nn.Conv2d(3, 16, 3, 4, 1), nn.SiLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.SiLU())
        self.s16 = nn.Sequential(nn.Conv2d(32, 64, 3, 2, 1), nn.SiLU())
        a = [[10, 13], [16, 30], [33, 23]]
        self.heads = nn.ModuleList(YoloHead(c, a, nc) for c in (32, 64))

    def forward(self, x):
        p3 = self.s8(x)
        p4 = self.s16(p3)
        return torch.cat([head(f) for head, f in zip(self.heads, (p3, p4))], dim=1)


if __name__ == "__main__":
    out = Detector()(torch.zeros(2, 3, 64, 96))
    print(out.shape)
