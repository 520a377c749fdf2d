from collections import deque

import torch
from torch import nn


class Encode(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.conv = nn.Conv1d(c_in, c_out, 8, stride=4, padding=2)
        self.gate = nn.Sequential(nn.Conv1d(c_out, 2 * c_out, 1), nn.GLU(dim=1))

    def forward(self, x):
        return self.gate(torch.relu(self.conv(x)))


class Decode(nn.Module):
    def __init__(self, c_in, c_out, last=False):
        super().__init__()
        self.gate = nn.Sequential(nn.Conv1d(c_in, 2 * c_in, 3, padding=1), nn.GLU(dim=1))
        self.conv = nn.ConvTranspose1d(c_in, c_out, 8, stride=4, padding=2)
        self.last = last

    def forward(self, x, skip):
        x = self.gate(x + skip)
        x = self.conv(x)
        return x if self.last else torch.relu(x)


class Separator(nn.Module):
    def __init__(self, sources=2, width=8, depth=3, growth=2):
        super().__init__()
        self.sources = sources
        self.encoder, self.decoder = nn.ModuleList(), nn.ModuleList()
        channels = 1
        for index in range(depth):
            out = width * growth**index
            self.encoder.append(Encode(channels, out))
            self.decoder.insert(0, Decode(out, channels if index else sources, last=index == 0))
            channels = out
        self.lstm = nn.LSTM(channels, channels, bidirectional=True)
        self.mix = nn.Linear(2 * channels, channels)

    def bottleneck(self, x):
        y, _ = self.lstm(x.permute(2, 0, 1))
        return self.mix(y).permute(1, 2, 0)

    def forward(self, mixture):
        x, saved = mixture.unsqueeze(1), deque()
        for layer in self.encoder:
            x = layer(x)
            saved.append(x)
        x = self.bottleneck(x)
        for layer in self.decoder:
            skip = saved.popleft()
            x = layer(x, skip)
        return x


def si_sdr(estimate, target, eps=1e-8):
    target = target - target.mean(-1, keepdim=True)
    estimate = estimate - estimate.mean(-1, keepdim=True)
    scale = (estimate * target).sum(-1, keepdim=True) / (target.pow(2).sum(-1, keepdim=True) + eps)
    noise = estimate - scale * target
    return 10 * torch.log10((scale * target).pow(2).sum(-1) / (noise.pow(2).sum(-1) + eps) + eps)


def mixtures(count, length=1024):
    for _ in range(count):
        sources = torch.randn(2, 2, length)
        yield sources.sum(1), sources


def main():
    model = Separator()
    for mixture, sources in mixtures(2):
        loss = -si_sdr(model(mixture), sources).mean()
        loss.backward()
        print(loss.item())


if __name__ == "__main__":
    main()
