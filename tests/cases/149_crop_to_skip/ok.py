import torch
import torch.nn.functional as F
from torch import nn


def center_crop(x, height, width):
    top, left = (x.shape[-2] - height) // 2, (x.shape[-1] - width) // 2
    return x[..., top : top + height, left : left + width]


def pad_to(x, multiple):
    h, w = x.shape[-2:]
    right, bottom = -w % multiple, -h % multiple
    return F.pad(x, (0, right, 0, bottom)), (h, w)


class ValidUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, width, 3), nn.ReLU(), nn.Conv2d(width, width, 3), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(width, 2 * width, 3), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.dec = nn.Conv2d(2 * width, 2, 3)

    def forward(self, x):
        skip = self.enc(x)
        y = self.up(self.mid(F.max_pool2d(skip, 2)))
        skip = center_crop(skip, *y.shape[-2:])
        return self.dec(torch.cat([skip, y], dim=1))


def main():
    x, (h, w) = pad_to(torch.rand(2, 1, 57, 58), 4)
    logits = F.interpolate(ValidUNet()(x), size=x.shape[-2:], mode="bilinear", align_corners=False)
    print(logits[..., :h, :w].shape)


if __name__ == "__main__":
    main()
