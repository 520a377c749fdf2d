import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    """A frozen linear map with a trainable low-rank update."""

    def __init__(self, base: nn.Linear, r: int = 4, alpha: int = 8, dropout: float = 0.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.empty(r, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.scaling = alpha / r
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()

    def forward(self, x):
        update = self.dropout(x) @ self.lora_A.T @ self.lora_B.T
        return self.base(x) + self.scaling * update

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.scaling * (self.lora_B @ self.lora_A)
        return self.base


class Mlp(nn.Module):
    def __init__(self, dim=16, hidden=40):
        super().__init__()
        self.up = nn.Linear(dim, hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


def add_lora(module, **kw):
    for name, child in list(module.named_children()):
        if isinstance(child, nn.Linear):
            setattr(module, name, LoRALinear(child, **kw))
        else:
            add_lora(child, **kw)
    return module


def main():
    layer = LoRALinear(nn.Linear(16, 40), r=4)
    x = torch.randn(5, 16)
    print(layer(x).shape, layer.merge().weight.shape)
    model = add_lora(Mlp(), r=2)
    print(model(x).shape)


if __name__ == "__main__":
    main()
