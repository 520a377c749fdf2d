import argparse
import math

import torch
from torch import nn


def hz_to_mel(f):
    return 2595.0 * math.log10(1.0 + f / 700.0)


def mel_filters(n_freqs, n_mels, sample_rate):
    pts = torch.linspace(hz_to_mel(0.0), hz_to_mel(sample_rate / 2), n_mels + 2)
    hz = 700.0 * (10.0 ** (pts / 2595.0) - 1.0)
    freqs = torch.linspace(0, sample_rate // 2, n_freqs)
    slopes = hz[:, None] - freqs[None, :]
    down = -slopes[:-2] / (hz[1:-1] - hz[:-2])[:, None]
    up = slopes[2:] / (hz[2:] - hz[1:-1])[:, None]
    return torch.clamp(torch.minimum(down, up), min=0)


class LogMel(nn.Module):
    def __init__(self, n_fft, hop, n_mels, sample_rate):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("fb", mel_filters(n_fft // 2 + 1, n_mels, sample_rate))

    def forward(self, wave):
        spec = torch.stft(wave, self.n_fft, self.hop, window=self.window, return_complex=True)
        power = spec.abs().pow(2)
        return torch.log(torch.matmul(self.fb, power) + 1e-6)


class KeywordNet(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.front = LogMel(args.n_fft, args.hop, args.n_mels, args.rate)
        self.conv = nn.Sequential(nn.Conv1d(args.n_mels, 32, 3, padding=1), nn.BatchNorm1d(32), nn.ReLU())
        self.fc = nn.Linear(32, args.words)

    def forward(self, wave):
        return self.fc(self.conv(self.front(wave)).amax(dim=-1))


def get_args(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--n-fft", type=int, default=256)
    p.add_argument("--hop", type=int, default=128)
    p.add_argument("--n-mels", type=int, default=20)
    p.add_argument("--rate", type=int, default=8000)
    p.add_argument("--words", type=int, default=12)
    return p.parse_args(argv)


if __name__ == "__main__":
    args = get_args()
    print(KeywordNet(args)(torch.randn(2, 4000)).shape)
