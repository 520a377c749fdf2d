import math

import torch
from torch import nn


class Conv1D(nn.Module):
    """A linear layer with a transposed weight, as in GPT-2."""

    def __init__(self, n_out, n_in):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_in, n_out) * 0.02)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.shape[-1]), self.weight).view(*x.shape[:-1], -1)


class Attention(nn.Module):
    def __init__(self, dim=24, heads=4):
        super().__init__()
        self.heads = heads
        self.c_attn = Conv1D(3 * dim, dim)
        self.c_proj = Conv1D(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.c_attn(x).split(d, dim=2))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(b, n, d))


class LoraLayer(nn.Module):
    def __init__(self, base, rank=4, alpha=8):
        super().__init__()
        self.base = base
        n_in, n_out = base.weight.shape
        self.down = nn.Parameter(torch.empty(rank, n_in))
        self.up = nn.Parameter(torch.zeros(n_out, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))
        self.scaling = alpha / rank

    def delta(self):
        return self.up @ self.down * self.scaling

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.delta()
        return self.base

    def forward(self, x):
        return self.base(x) + (x @ self.down.t() @ self.up.t()) * self.scaling


def inject(model, names=("c_attn",), rank=4):
    for name in names:
        setattr(model, name, LoraLayer(getattr(model, name), rank))
    return model


def merge_all(model):
    for name, child in list(model.named_children()):
        if isinstance(child, LoraLayer):
            setattr(model, name, child.merge())
    return model


def main():
    model = inject(Attention())
    x = torch.randn(2, 5, 24)
    print(model(x).shape)
    print(merge_all(model)(x).shape)


if __name__ == "__main__":
    main()
