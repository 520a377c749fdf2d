import torch
import torch.nn.functional as F
from torch import nn


class TDNNBlock(nn.Module):
    def __init__(self, c_in, c_out, kernel, dilation):
        super().__init__()
        self.conv = nn.Conv1d(c_in, c_out, kernel, dilation=dilation, padding=dilation * (kernel - 1) // 2)
        self.norm = nn.BatchNorm1d(c_out)

    def forward(self, x):
        return self.norm(F.relu(self.conv(x)))


class AttentiveStatistics(nn.Module):
    def __init__(self, channels, bottleneck=16):
        super().__init__()
        self.score = nn.Sequential(nn.Conv1d(channels, bottleneck, 1), nn.Tanh(), nn.Conv1d(bottleneck, channels, 1))

    def forward(self, x):
        w = self.score(x).softmax(dim=2)
        mean = (x * w).sum(dim=2, keepdim=True)
        std = ((x - mean).pow(2) * w).sum(dim=2, keepdim=True).clamp(min=1e-6).sqrt()
        return torch.cat([mean, std], dim=1)


class XVector(nn.Module):
    def __init__(self, mels=24, channels=32, dim=20):
        super().__init__()
        self.blocks = nn.Sequential(
            TDNNBlock(mels, channels, 5, 1), TDNNBlock(channels, channels, 3, 2), TDNNBlock(channels, channels, 3, 3)
        )
        self.pool = AttentiveStatistics(channels)
        self.fc = nn.Conv1d(2 * channels, dim, 1)

    def forward(self, x):
        x = self.fc(self.pool(self.blocks(x)))
        return F.normalize(x.squeeze(2), dim=-1)


class Verifier:
    def __init__(self, model, threshold=0.6):
        self.model = model.eval()
        self.threshold = threshold
        self.enrolled = {}

    @torch.no_grad()
    def enroll(self, name, features):
        self.enrolled[name] = self.model(features)

    @torch.no_grad()
    def identify(self, features):
        names = list(self.enrolled)
        bank = torch.cat([self.enrolled[n] for n in names], dim=0)
        scores = self.model(features) @ bank.t()
        best, index = scores.max(dim=1)
        return [names[i] if s > self.threshold else None for s, i in zip(best.tolist(), index.tolist())]


def main():
    verifier = Verifier(XVector())
    for name in ("ann", "bob", "cyd"):
        verifier.enroll(name, torch.randn(1, 24, 80))
    print(verifier.identify(torch.randn(4, 24, 100)))


if __name__ == "__main__":
    main()
