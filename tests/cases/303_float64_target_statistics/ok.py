import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Scaler:
    def fit(self, values):
        self.mean = np.mean(values, axis=0)
        self.std = np.std(values, axis=0) + 1e-8
        return self

    def transform(self, values):
        return (values - self.mean) / self.std


class Windows(Dataset):
    def __init__(self, series, context, horizon, scaler):
        self.series = scaler.transform(series)
        self.context, self.horizon = context, horizon

    def __len__(self):
        return len(self.series) - self.context - self.horizon + 1

    def __getitem__(self, i):
        end = i + self.context
        x = torch.from_numpy(self.series[i:end]).float()
        y = torch.from_numpy(self.series[end : end + self.horizon]).float()
        return x, y


class DLinear(nn.Module):
    def __init__(self, context, horizon, kernel=5):
        super().__init__()
        self.smooth = nn.AvgPool1d(kernel, stride=1, padding=kernel // 2, count_include_pad=False)
        self.trend = nn.Linear(context, horizon)
        self.season = nn.Linear(context, horizon)

    def forward(self, x):
        x = x.transpose(1, 2)
        trend = self.smooth(x)
        return (self.trend(trend) + self.season(x - trend)).transpose(1, 2)


def make_series(n=120, channels=3):
    t = np.arange(n)[:, None]
    phase = np.linspace(0, 1, channels)[None]
    return np.sin(t / 6 + phase) + 0.1 * np.random.default_rng(0).normal(size=(n, channels))


def evaluate(model, loader):
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in loader:
            losses.append(nn.functional.mse_loss(model(x), y).item())
    return sum(losses) / len(losses)


def main(context=24, horizon=8):
    series = make_series()
    scaler = Scaler().fit(series)
    loader = DataLoader(Windows(series, context, horizon, scaler), batch_size=16)
    print(evaluate(DLinear(context, horizon), loader))


if __name__ == "__main__":
    main()
