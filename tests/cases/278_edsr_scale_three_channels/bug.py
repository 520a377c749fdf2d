import torch
from torch import nn


class Upsampler(nn.Sequential):
    def __init__(self, scale, feats):
        m = []
        if scale & (scale - 1) == 0:
            for _ in range(scale.bit_length() - 1):
                m.append(nn.Conv2d(feats, 4 * feats, 3, 1, 1))
                m.append(nn.PixelShuffle(2))
        elif scale == 3:
            m.append(nn.Conv2d(feats, 4 * feats, 3, 1, 1))
            m.append(nn.PixelShuffle(3))
        else:
            raise ValueError(f"unsupported scale {scale}")
        super().__init__(*m)


class EDSR(nn.Module):
    def __init__(self, scale=2, feats=16, blocks=2):
        super().__init__()
        self.head = nn.Conv2d(3, feats, 3, padding=1)
        self.body = nn.ModuleList(
            nn.Sequential(nn.Conv2d(feats, feats, 3, padding=1), nn.ReLU(True), nn.Conv2d(feats, feats, 3, padding=1))
            for _ in range(blocks)
        )
        self.up = Upsampler(scale, feats)
        self.tail = nn.Conv2d(feats, 3, 3, padding=1)

    def forward(self, x):
        x = self.head(x)
        y = x
        for block in self.body:
            y = y + 0.1 * block(y)
        return self.tail(self.up(x + y))


def main():
    low = torch.rand(1, 3, 12, 12)
    for scale in (2, 3, 4):
        out = EDSR(scale)(low)
        assert out.shape[-1] == 12 * scale
        print(scale, tuple(out.shape))


if __name__ == "__main__":
    main()
