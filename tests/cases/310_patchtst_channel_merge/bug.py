import torch
from torch import nn


class RevIN(nn.Module):
    def __init__(self, channels, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(channels))
        self.shift = nn.Parameter(torch.zeros(channels))

    def normalize(self, x):
        self.mean = x.mean(dim=1, keepdim=True).detach()
        self.std = (x.var(dim=1, keepdim=True, unbiased=False) + self.eps).sqrt().detach()
        return (x - self.mean) / self.std * self.gain + self.shift

    def restore(self, y):
        return (y - self.shift) / self.gain * self.std + self.mean


class PatchEmbedding(nn.Module):
    def __init__(self, patch, stride, dim, count):
        super().__init__()
        self.patch, self.stride = patch, stride
        self.project = nn.Linear(patch, dim)
        self.position = nn.Parameter(torch.zeros(count, dim))

    def forward(self, x):
        patches = x.unfold(-1, self.patch, self.stride)
        return self.project(patches) + self.position


class PatchForecaster(nn.Module):
    def __init__(self, channels=5, context=48, horizon=12, patch=8, stride=4, dim=16):
        super().__init__()
        self.channels, self.horizon = channels, horizon
        count = (context - patch) // stride + 1
        self.revin = RevIN(channels)
        self.embed = PatchEmbedding(patch, stride, dim, count)
        layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(count * dim, horizon)

    def forward(self, x):
        b, n, c = x.shape
        x = self.revin.normalize(x)
        x = x.permute(0, 2, 1).reshape(b * c, n)
        z = self.encoder(self.embed(x))
        y = self.head(z.flatten(1))
        y = y.view(b, c, self.horizon)
        return self.revin.restore(y)


def windows(series, context, horizon, batch_size):
    starts = torch.randint(0, len(series) - context - horizon, (batch_size,))
    x = torch.stack([series[s : s + context] for s in starts])
    y = torch.stack([series[s + context : s + context + horizon] for s in starts])
    return x, y


def train(model, series, steps=3):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(steps):
        x, y = windows(series, 48, 12, 4)
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


if __name__ == "__main__":
    print(train(PatchForecaster(), torch.randn(300, 5).cumsum(0)))
