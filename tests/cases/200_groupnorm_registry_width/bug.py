import torch
from torch import nn

NORMS = {
    "bn": lambda c: nn.BatchNorm2d(c),
    "gn": lambda c: nn.GroupNorm(8, c),
    "in": lambda c: nn.InstanceNorm2d(c, affine=True),
    None: lambda c: nn.Identity(),
}


class ConvModule(nn.Sequential):
    def __init__(self, cin, cout, k=3, stride=1, norm="bn", act=nn.ReLU):
        layers = [nn.Conv2d(cin, cout, k, stride, k // 2, bias=norm is None), NORMS[norm](cout)]
        if act:
            layers.append(act())
        super().__init__(*layers)


class DeepLabHead(nn.Module):
    def __init__(self, cin, width=24, rates=(1, 2, 4), classes=4, norm="gn"):
        super().__init__()
        self.branches = nn.ModuleList()
        for r in rates:
            b = ConvModule(cin, width, 3, norm=norm)
            b[0].dilation, b[0].padding = (r, r), (r, r)
            self.branches.append(b)
        self.fuse = ConvModule(width * len(rates), width, 1, norm=norm)
        self.cls = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        return self.cls(self.fuse(torch.cat([b(x) for b in self.branches], dim=1)))


def main():
    head = DeepLabHead(16, width=20)
    print(head(torch.randn(2, 16, 12, 12)).shape)


if __name__ == "__main__":
    main()
