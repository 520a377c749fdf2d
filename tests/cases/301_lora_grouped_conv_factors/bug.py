import torch
import torch.nn.functional as F
from torch import nn


class ConvNormAct(nn.Module):
    def __init__(self, c_in, c_out, kernel=3, stride=1, groups=1):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(c_out)

    def forward(self, x):
        return F.silu(self.norm(self.conv(x)))


class Bottleneck(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        inner = channels // 2
        self.reduce = ConvNormAct(channels, inner, 1)
        self.grouped = ConvNormAct(inner, inner, 3, groups=groups)
        self.expand = ConvNormAct(inner, channels, 1)

    def forward(self, x):
        return x + self.expand(self.grouped(self.reduce(x)))


class LoRAConv2d(nn.Module):
    def __init__(self, conv, rank):
        super().__init__()
        self.conv = conv
        k = conv.kernel_size[0]
        self.lora_a = nn.Parameter(torch.randn(rank * k, conv.in_channels * k) * 0.01)
        self.lora_b = nn.Parameter(torch.zeros(conv.out_channels * k, rank * k))
        self.scale = 1 / rank

    def forward(self, x):
        delta = (self.lora_b @ self.lora_a).view(self.conv.weight.shape)
        c = self.conv
        return F.conv2d(x, c.weight + delta * self.scale, c.bias, c.stride, c.padding, c.dilation, c.groups)


class Backbone(nn.Module):
    def __init__(self, width=16, depth=2, groups=4, classes=5):
        super().__init__()
        self.stem = ConvNormAct(3, width, stride=2)
        self.blocks = nn.Sequential(*[Bottleneck(width, groups) for _ in range(depth)])
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.head(x.mean(dim=(2, 3)))


def add_lora(model, rank=2):
    for p in model.parameters():
        p.requires_grad_(False)
    for block in model.blocks:
        for unit in (block.reduce, block.grouped, block.expand):
            unit.conv = LoRAConv2d(unit.conv, rank)
    return model


def main():
    model = add_lora(Backbone())
    logits = model(torch.randn(2, 3, 16, 16))
    F.cross_entropy(logits, torch.tensor([0, 3])).backward()
    print(sum(p.numel() for p in model.parameters() if p.requires_grad))


if __name__ == "__main__":
    main()
