import torch
from torch import nn

ANCHORS = [(10, 13), (16, 30), (33, 23)]


class DetectHead(nn.Module):
    def __init__(self, cin, num_classes, anchors=ANCHORS):
        super().__init__()
        self.num_anchors = len(anchors)
        self.num_classes = num_classes
        self.conv = nn.Conv2d(cin, self.num_anchors * (5 + num_classes), 1)
        self.register_buffer("anchors", torch.tensor(anchors, dtype=torch.float32))

    def forward(self, x):
        b, _, h, w = x.shape
        out = self.conv(x)
        out = out.view(b, self.num_anchors, 4 + self.num_classes, h, w)
        out = out.permute(0, 1, 3, 4, 2)
        xy = torch.sigmoid(out[..., 0:2])
        wh = torch.exp(out[..., 2:4]) * self.anchors.view(1, -1, 1, 1, 2)
        scores = torch.sigmoid(out[..., 4:])
        return torch.cat([xy, wh, scores], dim=-1)


def main():
    head = DetectHead(64, num_classes=20)
    boxes = head(torch.randn(2, 64, 13, 13))
    print(boxes.reshape(2, -1, 25).shape)


if __name__ == "__main__":
    main()
