import torch
from torch import nn


class MinGRU(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.dim = dim
        self.inp = nn.Linear(dim, 3 * dim)
        self.norm = nn.LayerNorm(dim)

    def gates(self, x):
        z, h, o = self.inp(x).split(self.dim, dim=-1)
        return torch.sigmoid(z), torch.tanh(h), torch.sigmoid(o)

    def forward(self, x):
        z, cand, o = self.gates(x)
        state, out = torch.zeros_like(x[:, 0]), []
        for t in range(x.shape[1]):
            state = (1 - z[:, t]) * state + z[:, t] * cand[:, t]
            out.append(o[:, t] * state)
        return x + self.norm(torch.stack(out, dim=1))


class Denoise(nn.Module):
    def __init__(self, bins=33):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bins, 16), MinGRU(), MinGRU(), nn.Linear(16, bins), nn.Sigmoid())

    def forward(self, wave):
        window = torch.hann_window(64)
        spec = torch.stft(wave, 64, 32, window=window, return_complex=True)
        mask = self.net(spec.abs().transpose(1, 2)).transpose(1, 2)
        return torch.istft(spec * mask, 64, 32, window=window, length=wave.shape[-1])


def main():
    print(Denoise()(torch.randn(2, 640)).shape)


if __name__ == "__main__":
    main()
