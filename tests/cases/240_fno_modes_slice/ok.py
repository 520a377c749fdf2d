import torch
import torch.nn.functional as F
from torch import nn


class SpectralConv2d(nn.Module):
    def __init__(self, cin, cout, modes1, modes2):
        super().__init__()
        self.cout, self.modes1, self.modes2 = cout, modes1, modes2
        scale = 1 / (cin * cout)
        self.w1 = nn.Parameter(scale * torch.rand(cin, cout, modes1, modes2, dtype=torch.cfloat))
        self.w2 = nn.Parameter(scale * torch.rand(cin, cout, modes1, modes2, dtype=torch.cfloat))

    @staticmethod
    def mul(a, w):
        return torch.einsum("bixy,ioxy->boxy", a, w)

    def forward(self, x):
        b = x.shape[0]
        ft = torch.fft.rfft2(x)
        out = torch.zeros(b, self.cout, x.size(-2), x.size(-1) // 2 + 1, dtype=torch.cfloat)
        m1, m2 = self.modes1, self.modes2
        out[:, :, :m1, :m2] = self.mul(ft[:, :, :m1, :m2], self.w1)
        out[:, :, -m1:, :m2] = self.mul(ft[:, :, -m1:, :m2], self.w2)
        return torch.fft.irfft2(out, s=(x.size(-2), x.size(-1)))


class FNO2d(nn.Module):
    def __init__(self, modes=4, width=8, depth=2):
        super().__init__()
        self.fc0 = nn.Linear(3, width)
        self.spectral = nn.ModuleList(SpectralConv2d(width, width, modes, modes) for _ in range(depth))
        self.pointwise = nn.ModuleList(nn.Conv2d(width, width, 1) for _ in range(depth))
        self.fc1 = nn.Linear(width, 1)

    def forward(self, a):
        b, nx, ny, _ = a.shape
        gx = torch.linspace(0, 1, nx).reshape(1, nx, 1, 1).repeat(b, 1, ny, 1)
        gy = torch.linspace(0, 1, ny).reshape(1, 1, ny, 1).repeat(b, nx, 1, 1)
        x = self.fc0(torch.cat((a, gx, gy), dim=-1))
        x = x.permute(0, 3, 1, 2)
        for s, p in zip(self.spectral, self.pointwise):
            x = F.gelu(s(x) + p(x))
        x = x.permute(0, 2, 3, 1)
        return self.fc1(x)


if __name__ == "__main__":
    print(FNO2d()(torch.randn(2, 16, 20, 1)).shape)
