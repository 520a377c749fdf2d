import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, dim=10):
        super().__init__()
        self.fc = nn.Linear(dim, 1)

    def forward(self, x):
        return self.fc(x).squeeze(-1)


def nms(boxes, scores, thr=0.5):
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        i = order[0]
        keep.append(int(i))
        if order.numel() == 1:
            break
        rest = boxes[order[1:]]
        lt, rb = torch.maximum(boxes[i, :2], rest[:, :2]), torch.minimum(boxes[i, 2:], rest[:, 2:])
        inter = (rb - lt).clamp(min=0).prod(1)
        area = lambda b: (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
        order = order[1:][inter / (area(boxes[i]) + area(rest) - inter) <= thr]
    return torch.tensor(keep)


def detect(model, feats, boxes):
    scores = model(feats).sigmoid()
    conf, idx = scores.topk(min(4, scores.shape[0]))
    keep = nms(boxes[idx], conf)
    return boxes[idx][keep], conf[keep]


def main():
    model = Scorer().eval()
    xy = torch.rand(6, 2) * 10
    boxes = torch.cat([xy, xy + 4], dim=1)
    with torch.no_grad():
        print(detect(model, torch.randn(6, 10), boxes)[0].shape)
        print(detect(model, torch.randn(1, 10), boxes[:1])[1].shape)


if __name__ == "__main__":
    main()
