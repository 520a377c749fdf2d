import torch
import torch.nn as nn


def channel_shuffle(x, groups):
    b, c, h, w = x.size()
    x = x.view(b, groups, c // groups, h, w)
    x = torch.transpose(x, 1, 2)
    return x.view(b, -1, h, w)


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        if stride not in (1, 2):
            raise ValueError("illegal stride value")
        self.stride = stride
        half = oup // 2
        self.branch1 = nn.Sequential()
        if stride > 1:
            self.branch1 = nn.Sequential(
                nn.Conv2d(inp, inp, 3, stride, 1, groups=inp, bias=False), nn.BatchNorm2d(inp),
                nn.Conv2d(inp, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True),
            )
        c = inp if stride > 1 else half
        self.branch2 = nn.Sequential(
            nn.Conv2d(c, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True),
            nn.Conv2d(half, half, 3, stride, 1, groups=half, bias=False), nn.BatchNorm2d(half),
            nn.Conv2d(half, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True),
        )

    def forward(self, x):
        if self.stride == 1:
            x1, x2 = x.chunk(2, dim=1)
            out = torch.cat((x1, self.branch2(x2)), dim=1)
        else:
            out = torch.cat((self.branch1(x), self.branch2(x)), dim=1)
        return channel_shuffle(out, 2)


class ShuffleNet(nn.Module):
    def __init__(self, repeats=(2, 2), channels=(12, 24, 48)):
        super().__init__()
        self.stem = nn.Conv2d(3, channels[0], 3, 2, 1)
        inp = channels[0]
        for i, (n, oup) in enumerate(zip(repeats, channels[1:])):
            seq = [InvertedResidual(inp, oup, 2)]
            seq.extend(InvertedResidual(oup, oup, 1) for _ in range(n - 1))
            setattr(self, f"stage{i + 2}", nn.Sequential(*seq))
            inp = oup
        self.fc = nn.Linear(inp, 10)

    def forward(self, x):
        x = self.stage3(self.stage2(self.stem(x)))
        return self.fc(x.mean([2, 3]))


if __name__ == "__main__":
    print(ShuffleNet()(torch.rand(2, 3, 48, 48)).shape)
