import torch
import torch.nn.functional as F
from torch import nn


class DWT(nn.Module):
    """Haar wavelet decomposition: four bands with half the resolution."""

    def __init__(self):
        super().__init__()
        lo, hi = torch.tensor([1.0, 1.0]) / 2 ** 0.5, torch.tensor([1.0, -1.0]) / 2 ** 0.5
        bank = torch.stack([torch.outer(a, b) for a in (lo, hi) for b in (lo, hi)])
        self.register_buffer("bank", bank.unsqueeze(1))

    def forward(self, x):
        c = x.size(1)
        weight = self.bank.repeat(c, 1, 1, 1)
        return F.conv2d(x, weight, stride=2, groups=c)

    def inverse(self, y):
        c = y.size(1) // 4
        return F.conv_transpose2d(y, self.bank.repeat(c, 1, 1, 1), stride=2, groups=c)


class WaveletNet(nn.Module):
    def __init__(self, ch=3, width=16):
        super().__init__()
        self.dwt = DWT()
        self.body = nn.Sequential(
            nn.Conv2d(ch, width, 3, padding=1),
            nn.PReLU(width),
            nn.Conv2d(width, 4 * ch, 3, padding=1),
        )

    def forward(self, x):
        bands = self.dwt(x)
        return x + self.dwt.inverse(self.body(bands))


def main():
    x = torch.rand(2, 3, 16, 20)
    dwt = DWT()
    assert torch.allclose(dwt.inverse(dwt(x)), x, atol=1e-5)
    print(WaveletNet()(x).shape)


if __name__ == "__main__":
    main()
