import torch
from torch import nn


def some(n):
    xy = torch.rand(n, 2)
    return torch.cat([xy, xy + torch.rand(n, 2) + 0.1], dim=1)


def area(box):
    return (box[..., 2:] - box[..., :2]).prod(dim=-1, keepdim=True)


def giou_loss(pred, target):
    """Both (N, 4), one loss per pair."""
    lt, rb = torch.max(pred[:, :2], target[:, :2]), torch.min(pred[:, 2:], target[:, 2:])
    inter = (rb - lt).clamp(min=0).prod(dim=-1)
    union = area(pred) + area(target) - inter
    hull_lt, hull_rb = torch.min(pred[:, :2], target[:, :2]), torch.max(pred[:, 2:], target[:, 2:])
    hull = (hull_rb - hull_lt).prod(dim=-1)
    return 1 - inter / union + (hull - union) / hull


class BoxHead(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.fc = nn.Linear(dim, 4)

    def forward(self, x):
        cx, cy, w, h = self.fc(x).sigmoid().unbind(-1)
        return torch.stack([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2], dim=-1)


def main():
    head = BoxHead()
    loss = giou_loss(head(torch.randn(8, 16)), some(8)).mean()
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
