import torch
import torch.nn.functional as F
from torch import nn


def gaussian(size, sigma):
    x = torch.arange(size, dtype=torch.float32) - size // 2
    g = torch.exp(-x.pow(2) / (2 * sigma ** 2))
    return g / g.sum()


def create_window(size, channels):
    g = gaussian(size, 1.5).unsqueeze(1)
    w2d = g.mm(g.t()).unsqueeze(0).unsqueeze(0)
    return w2d.expand(channels, 1, size, size).contiguous()


class SSIM(nn.Module):
    def __init__(self, size=7, channels=3):
        super().__init__()
        self.size, self.channels = size, channels
        self.register_buffer("window", create_window(size, channels))

    def blur(self, x):
        return F.conv2d(x, self.window, padding=self.size // 2)

    def forward(self, a, b):
        mu_a, mu_b = self.blur(a), self.blur(b)
        va = self.blur(a * a) - mu_a ** 2
        vb = self.blur(b * b) - mu_b ** 2
        vab = self.blur(a * b) - mu_a * mu_b
        c1, c2 = 0.01 ** 2, 0.03 ** 2
        s = ((2 * mu_a * mu_b + c1) * (2 * vab + c2)) / ((mu_a ** 2 + mu_b ** 2 + c1) * (va + vb + c2))
        return s.mean(dim=(1, 2, 3))


def test_identity():
    x = torch.rand(2, 3, 16, 16)
    score = SSIM()(x, x)
    assert score.shape == (2,)
    assert torch.allclose(score, torch.ones(2), atol=1e-4)


if __name__ == "__main__":
    test_identity()
