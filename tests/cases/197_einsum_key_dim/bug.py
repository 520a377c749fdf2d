import torch
from torch import nn


class LinearAttention(nn.Module):
    def __init__(self, dim, heads=4, dim_key=8, dim_value=12):
        super().__init__()
        self.heads, self.dk, self.dv = heads, dim_key, dim_value
        self.to_q = nn.Conv2d(dim, heads * dim_key, 1, bias=False)
        self.to_k = nn.Conv2d(dim, heads * dim_key, 1, bias=False)
        self.to_v = nn.Conv2d(dim, heads * dim_value, 1, bias=False)
        self.to_out = nn.Conv2d(heads * dim_value, dim, 1)

    def forward(self, x):
        b, _, h, w = x.shape
        q = self.to_q(x).view(b, self.heads, self.dk, h * w).softmax(dim=-2)
        k = self.to_k(x).view(b, self.heads, self.dk, h * w).softmax(dim=-1)
        v = self.to_v(x).view(b, self.heads, self.dv, h * w)
        context = torch.einsum("bhdn,bhen->bhde", k, v)
        out = torch.einsum("bhed,bhdn->bhen", context, q)
        return self.to_out(out.reshape(b, -1, h, w))


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, *args, **kwargs):
        return self.fn(x, *args, **kwargs) + x


if __name__ == "__main__":
    net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), Residual(LinearAttention(16)), nn.GroupNorm(4, 16))
    print(net(torch.randn(2, 3, 10, 14)).shape)
