from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class AudioConfig:
    sample_rate: int = 16000
    n_fft: int = 512
    win_length: int = 400
    hop_length: int = 160
    n_mels: int = 40


def mel_scale(hz):
    return 2595.0 * torch.log10(1.0 + hz / 700.0)


def mel_matrix(bins, n_mels, sample_rate):
    freqs = mel_scale(torch.linspace(0, sample_rate / 2, bins))
    centers = torch.linspace(0, float(freqs[-1]), n_mels + 2)
    width = centers[1] - centers[0]
    return (1 - (freqs[:, None] - centers[None, 1:-1]).abs() / width).clamp(min=0)


class Spectrogram(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.register_buffer("window", torch.hann_window(cfg.win_length))

    def forward(self, wave):
        spec = torch.stft(
            wave,
            self.cfg.win_length,
            self.cfg.hop_length,
            self.cfg.win_length,
            self.window,
            return_complex=True,
        )
        return spec.abs().pow(2)


class LogMel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.spectrogram = Spectrogram(cfg)
        self.register_buffer("mel", mel_matrix(cfg.n_fft // 2 + 1, cfg.n_mels, cfg.sample_rate))

    def forward(self, wave):
        power = self.spectrogram(wave).transpose(1, 2)
        return torch.log(power @ self.mel + 1e-6).transpose(1, 2)


class KeywordSpotter(nn.Module):
    def __init__(self, cfg, words=10, width=32):
        super().__init__()
        self.features = LogMel(cfg)
        self.norm = nn.InstanceNorm1d(cfg.n_mels)
        self.net = nn.Sequential(
            nn.Conv1d(cfg.n_mels, width, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(1),
            nn.Flatten(),
        )
        self.head = nn.Linear(width, words)

    def forward(self, wave):
        return self.head(self.net(self.norm(self.features(wave))))


def main():
    model = KeywordSpotter(AudioConfig())
    waves = torch.randn(3, 16000)
    loss = nn.functional.cross_entropy(model(waves), torch.tensor([1, 7, 3]))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
