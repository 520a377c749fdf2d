import torch
import torch.nn.functional as F
from torch import nn


def quantize_rows(weight, bits=8):
    top = 2 ** (bits - 1) - 1
    scale = weight.abs().amax(dim=1).clamp(min=1e-8) / top
    q = torch.round(weight / scale[:, None]).clamp(-top, top).to(torch.int8)
    return q, scale


class QuantLinear(nn.Module):
    def __init__(self, linear, bits):
        super().__init__()
        q, scale = quantize_rows(linear.weight.detach(), bits)
        self.register_buffer("q", q)
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    @property
    def weight(self):
        return self.q.to(self.scale.dtype) * self.scale

    def forward(self, x):
        return F.linear(x, self.weight, self.bias)


class MLP(nn.Module):
    def __init__(self, dim, mult):
        super().__init__()
        self.up, self.down = nn.Linear(dim, dim * mult), nn.Linear(dim * mult, dim)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Mixer(nn.Module):
    def __init__(self, tokens=9, dim=24, depth=2, classes=5):
        super().__init__()
        self.embed = nn.Linear(48, dim)
        self.layers = nn.ModuleList()
        for _ in range(depth):
            self.layers.append(nn.ModuleDict({"tokens": MLP(tokens, 2), "channels": MLP(dim, 4)}))
        self.head = nn.Linear(dim, classes)

    def forward(self, patches):
        x = self.embed(patches)
        for layer in self.layers:
            x = x + layer["tokens"](x.transpose(1, 2)).transpose(1, 2)
            x = x + layer["channels"](x)
        return self.head(x.mean(dim=1))


def replace_linears(module, bits=8, skip=("head",)):
    for name, child in module.named_children():
        if name in skip:
            continue
        if isinstance(child, nn.Linear):
            setattr(module, name, QuantLinear(child, bits))
        else:
            replace_linears(child, bits, skip)
    return module


@torch.no_grad()
def drift(model, patches, bits):
    before = model(patches)
    after = replace_linears(model, bits)(patches)
    return (before - after).abs().max().item()


def main():
    print(drift(Mixer().eval(), torch.randn(2, 9, 48), bits=8))


if __name__ == "__main__":
    main()
