import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class SlidingWindow(Dataset):
    def __init__(self, series, window=12, horizon=3):
        self.series = (series - series.mean()) / series.std()
        self.window, self.horizon = window, horizon

    def __len__(self):
        return len(self.series) - self.window - self.horizon + 1

    def __getitem__(self, i):
        x = self.series[i : i + self.window]
        y = self.series[i + self.window : i + self.window + self.horizon]
        return torch.from_numpy(x)[:, None], torch.from_numpy(y)


class Forecaster(nn.Module):
    def __init__(self, hidden=16, horizon=3):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1])


def main():
    t = np.linspace(0, 20, 120)
    series = np.sin(t) + 0.1 * np.cos(5 * t)
    loader = DataLoader(SlidingWindow(series), batch_size=16, shuffle=True)
    model = Forecaster()
    opt = torch.optim.RMSprop(model.parameters())
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.l1_loss(model(x), y)
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
