import torch
import torch.nn.functional as F
from torch import nn


class LoRALinear(nn.Linear):
    def __init__(self, cin, cout, rank=4, alpha=8.0, **kwargs):
        super().__init__(cin, cout, **kwargs)
        self.lora_a = nn.Parameter(torch.randn(rank, cin) * 0.01)
        self.lora_b = nn.Parameter(torch.zeros(cout, rank))
        self.scaling = alpha / rank
        self.weight.requires_grad_(False)

    def forward(self, x):
        base = F.linear(x, self.weight, self.bias)
        delta = x @ (self.lora_a @ self.lora_b).T
        return base + self.scaling * delta


def adapt(module, rank):
    for name, child in module.named_children():
        if type(child) is nn.Linear:
            new = LoRALinear(child.in_features, child.out_features, rank)
            new.weight.data.copy_(child.weight.data)
            setattr(module, name, new)
    return module


def main():
    net = nn.Sequential(LoRALinear(24, 48), nn.ReLU(), LoRALinear(48, 6, rank=2))
    out = net(torch.randn(7, 24))
    print(out.shape, sum(p.numel() for p in net.parameters() if p.requires_grad))


if __name__ == "__main__":
    main()
