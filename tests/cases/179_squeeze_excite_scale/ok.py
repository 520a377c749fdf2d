from functools import partial

import torch
import torch.nn as nn


def make_divisible(v, divisor=8):
    new = max(divisor, int(v + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * v else new


class SqueezeExcite(nn.Module):
    def __init__(self, channels, rd_ratio=0.25, act=nn.ReLU, gate=nn.Sigmoid):
        super().__init__()
        rd = make_divisible(channels * rd_ratio)
        self.fc1, self.act = nn.Linear(channels, rd), act()
        self.fc2, self.gate = nn.Linear(rd, channels), gate()

    def forward(self, x):
        s = x.mean((2, 3))
        s = self.gate(self.fc2(self.act(self.fc1(s))))
        return x * s.view(*s.shape, 1, 1)


class MBConv(nn.Module):
    def __init__(self, c_in, c_out, stride=1, expand=4, norm=partial(nn.BatchNorm2d, eps=1e-3), se=True):
        super().__init__()
        mid = make_divisible(c_in * expand)
        self.expand = nn.Sequential(nn.Conv2d(c_in, mid, 1, bias=False), norm(mid), nn.SiLU())
        self.dw = nn.Sequential(nn.Conv2d(mid, mid, 3, stride, 1, groups=mid, bias=False), norm(mid), nn.SiLU())
        self.se = SqueezeExcite(mid) if se else nn.Identity()
        self.project = nn.Sequential(nn.Conv2d(mid, c_out, 1, bias=False), norm(c_out))
        self.use_res = stride == 1 and c_in == c_out

    def forward(self, x):
        y = self.project(self.se(self.dw(self.expand(x))))
        return x + y if self.use_res else y


def build(cfg):
    layers, c = [nn.Conv2d(3, 16, 3, 2, 1)], 16
    for out, n, s in cfg:
        for i in range(n):
            layers.append(MBConv(c, out, s if i == 0 else 1))
            c = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, 10))


if __name__ == "__main__":
    net = build([(24, 2, 2), (40, 1, 2)])
    print(net(torch.rand(2, 3, 64, 64)).shape)
