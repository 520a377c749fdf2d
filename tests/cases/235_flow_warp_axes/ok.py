import torch
import torch.nn.functional as F
from torch import nn


def coords_grid(b, h, w):
    ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    return torch.stack([xs, ys], dim=0).float()[None].repeat(b, 1, 1, 1)


def warp(img, flow):
    b, _, h, w = img.shape
    pos = coords_grid(b, h, w) + flow
    x = 2 * pos[:, 0] / max(w - 1, 1) - 1
    y = 2 * pos[:, 1] / max(h - 1, 1) - 1
    grid = torch.stack((x, y), dim=-1)
    return F.grid_sample(img, grid, align_corners=True)


class FlowNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.feat = nn.Conv2d(6, c, 7, stride=2, padding=3)
        self.flow = nn.Conv2d(c, 2, 3, padding=1)

    def forward(self, a, b):
        f = self.flow(F.relu(self.feat(torch.cat([a, b], 1))))
        return 2.0 * F.interpolate(f, size=a.shape[2:], mode="bilinear", align_corners=False)


def smoothness(flow):
    dx = (flow[..., :, 1:] - flow[..., :, :-1]).abs().mean()
    dy = (flow[..., 1:, :] - flow[..., :-1, :]).abs().mean()
    return dx + dy


if __name__ == "__main__":
    a, b = torch.rand(2, 3, 20, 28), torch.rand(2, 3, 20, 28)
    flow = FlowNet()(a, b)
    loss = (warp(b, flow) - a).abs().mean() + 0.1 * smoothness(flow)
    loss.backward()
    print(loss.item())
