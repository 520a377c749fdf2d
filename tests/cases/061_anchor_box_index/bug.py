import torch
from torch import nn


def box_area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(a, b):
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    return inter / (box_area(a)[:, None] + box_area(b) - inter)


class MatchLoss(nn.Module):
    def __init__(self, threshold=0.5):
        super().__init__()
        self.threshold = threshold

    def forward(self, pred, scores, gt):
        iou = box_iou(pred, gt)
        best, which = iou.max(dim=1)
        positive = (best > self.threshold).float()
        cls = nn.functional.binary_cross_entropy_with_logits(scores, positive)
        reg = nn.functional.l1_loss(pred, gt[:, which, :], reduction="none").sum(dim=1)
        return cls + (reg * positive).sum() / positive.sum().clamp(min=1)


def main():
    xy = torch.rand(40, 2)
    pred = torch.cat([xy, xy + 0.3], dim=1).requires_grad_()
    gt = torch.tensor([[0.1, 0.1, 0.4, 0.4], [0.5, 0.5, 0.9, 0.8]])
    loss = MatchLoss()(pred, torch.randn(40), gt)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
