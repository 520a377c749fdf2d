import torch
import torch.nn as nn
import torch.nn.functional as F


class ResBlock(nn.Module):
    def __init__(self, ch, kernel=3, dilations=(1, 3)):
        super().__init__()
        self.convs = nn.ModuleList(
            nn.Conv1d(ch, ch, kernel, dilation=d, padding=(kernel * d - d) // 2) for d in dilations
        )

    def forward(self, x):
        for conv in self.convs:
            x = x + conv(F.leaky_relu(x, 0.1))
        return x


class Generator(nn.Module):
    def __init__(self, mels=20, ch=16, rates=(4, 2), kernels=(8, 4), res_kernels=(3, 5)):
        super().__init__()
        self.n_res = len(res_kernels)
        self.pre = nn.Conv1d(mels, ch, 7, padding=3)
        self.ups, self.res = nn.ModuleList(), nn.ModuleList()
        for i, (u, k) in enumerate(zip(rates, kernels)):
            c = ch // 2 ** (i + 1)
            self.ups.append(nn.ConvTranspose1d(ch // 2 ** i, c, k, u, padding=(k - u) // 2))
            for rk in res_kernels:
                self.res.append(ResBlock(c, rk))
        self.post = nn.Conv1d(c, 1, 7, padding=3)

    def forward(self, mel):
        x = self.pre(mel)
        for i, up in enumerate(self.ups):
            x = up(F.leaky_relu(x, 0.1))
            xs = None
            for j in range(self.n_res):
                y = self.res[i * self.n_res + j](x)
                xs = y if xs is None else xs + y
            x = xs / self.n_res
        return torch.tanh(self.post(F.leaky_relu(x)))


def main():
    wave = Generator()(torch.randn(2, 20, 15))
    assert wave.shape == (2, 1, 120), wave.shape


if __name__ == "__main__":
    main()
