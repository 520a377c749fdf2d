import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class VocoderConfig:
    mels: int = 20
    hop: int = 160
    rates: tuple = (8, 8, 2)
    width: int = 32
    segment: int = 10


class ResLayer(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 3, dilation=dilation, padding=dilation)

    def forward(self, x):
        return x + self.conv(F.leaky_relu(x, 0.1))


class Upsample(nn.Module):
    def __init__(self, c_in, c_out, rate):
        super().__init__()
        self.up = nn.ConvTranspose1d(c_in, c_out, 2 * rate, rate, padding=rate // 2 + rate % 2, output_padding=rate % 2)
        self.res = nn.Sequential(*[ResLayer(c_out, d) for d in (1, 3)])

    def forward(self, x):
        return self.res(self.up(F.leaky_relu(x, 0.1)))


class Generator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.pre = nn.Conv1d(cfg.mels, cfg.width, 7, padding=3)
        blocks, width = [], cfg.width
        for rate in cfg.rates:
            blocks.append(Upsample(width, width // 2, rate))
            width //= 2
        self.blocks = nn.Sequential(*blocks)
        self.post = nn.Conv1d(width, 1, 7, padding=3)

    def forward(self, mel):
        return torch.tanh(self.post(self.blocks(self.pre(mel)))).squeeze(1)


class Segments:
    """Mel frames and the waveform below them."""

    def __init__(self, cfg, total=60):
        self.cfg = cfg
        self.mel = torch.randn(cfg.mels, total)
        self.wave = torch.sin(torch.arange(total * cfg.hop) * 2 * math.pi / 80)

    def __iter__(self):
        for start in range(0, self.mel.shape[1] - self.cfg.segment, 20):
            stop = start + self.cfg.segment
            yield self.mel[None, :, start:stop], self.wave[None, start * self.cfg.hop : stop * self.cfg.hop]


def train(cfg):
    net = Generator(cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-4, betas=(0.8, 0.99))
    for mel, wave in Segments(cfg):
        loss = F.l1_loss(net(mel), wave)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


if __name__ == "__main__":
    print(train(VocoderConfig()))
