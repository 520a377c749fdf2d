import torch
import torch.nn.functional as F
from torch import nn


def squash(s, dim=-1):
    n2 = (s ** 2).sum(dim=dim, keepdim=True)
    return n2 / (1 + n2) * s / (n2.sqrt() + 1e-8)


class PrimaryCaps(nn.Module):
    def __init__(self, cin, caps, dim):
        super().__init__()
        self.dim = dim
        self.conv = nn.Conv2d(cin, caps * dim, 5, stride=2)

    def forward(self, x):
        u = self.conv(x)
        return squash(u.view(u.size(0), -1, self.dim))


class DigitCaps(nn.Module):
    def __init__(self, n_in, d_in, n_out=4, d_out=6, iters=3):
        super().__init__()
        self.iters = iters
        self.W = nn.Parameter(0.01 * torch.randn(1, n_in, n_out, d_out, d_in))

    def forward(self, u):
        u_hat = (self.W @ u[:, :, None, :, None]).squeeze(-1)
        b = u_hat.new_zeros(u_hat.shape[:-1])
        for i in range(self.iters):
            c = F.softmax(b, dim=2)
            s = (c.unsqueeze(-1) * u_hat).sum(dim=1)
            v = squash(s)
            if i < self.iters - 1:
                b = b + (u_hat * v.unsqueeze(1)).sum(-1)
        return v


class CapsNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 5)
        self.primary = PrimaryCaps(16, 4, 8)
        side = (28 - 5 + 1 - 5) // 2 + 1
        self.digits = DigitCaps(4 * side * side, 8)

    def forward(self, x):
        v = self.digits(self.primary(F.relu(self.conv(x))))
        return v.norm(dim=-1)


def margin_loss(length, y):
    t = F.one_hot(y, length.size(1)).float()
    return (t * F.relu(0.9 - length) ** 2 + 0.5 * (1 - t) * F.relu(length - 0.1) ** 2).sum(1).mean()


if __name__ == "__main__":
    print(margin_loss(CapsNet()(torch.rand(2, 1, 28, 28)), torch.tensor([1, 3])).item())
