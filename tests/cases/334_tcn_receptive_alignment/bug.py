import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class CausalConv(nn.Module):
    def __init__(self, c_in, c_out, kernel, dilation):
        super().__init__()
        self.left = dilation * (kernel - 1)
        self.conv = weight_norm(nn.Conv1d(c_in, c_out, kernel, dilation=dilation))

    def forward(self, x):
        return self.conv(x)


class TemporalBlock(nn.Module):
    def __init__(self, c_in, c_out, kernel, dilation, dropout):
        super().__init__()
        self.net = nn.Sequential(
            CausalConv(c_in, c_out, kernel, dilation),
            nn.ReLU(),
            nn.Dropout(dropout),
            CausalConv(c_out, c_out, kernel, dilation),
            nn.ReLU(),
            nn.Dropout(dropout),
        )
        self.match = nn.Conv1d(c_in, c_out, 1) if c_in != c_out else nn.Identity()

    def forward(self, x):
        return torch.relu(self.net(x) + self.match(x))


class TCN(nn.Module):
    def __init__(self, channels, widths=(16, 16, 24), kernel=3, dropout=0.1):
        super().__init__()
        layers = []
        for i, width in enumerate(widths):
            layers.append(TemporalBlock(channels, width, kernel, 2**i, dropout))
            channels = width
        self.layers = nn.Sequential(*layers)
        self.out_channels = channels

    def forward(self, x):
        return self.layers(x)


class LoadForecaster(nn.Module):
    def __init__(self, sensors=6, calendar=3, horizon=4):
        super().__init__()
        self.tcn = TCN(sensors + calendar)
        self.head = nn.Linear(self.tcn.out_channels, horizon)

    def forward(self, load, calendar):
        y = self.tcn(torch.cat([load, calendar], dim=-1).transpose(1, 2))
        return self.head(y[..., -1])


def calendar_features(steps, start):
    hours = torch.arange(start, start + steps)
    return torch.stack([torch.sin(hours / 3.8), torch.cos(hours / 3.8), (hours % 168 > 119).float()], dim=-1)


def batches(load, context, horizon, size):
    for first in range(0, len(load) - context - horizon - size, size):
        rows = range(first, first + size)
        x = torch.stack([load[r : r + context] for r in rows])
        c = torch.stack([calendar_features(context, r) for r in rows])
        y = torch.stack([load[r + context : r + context + horizon, 0] for r in rows])
        yield x, c, y


def main():
    model = LoadForecaster()
    for x, c, y in batches(torch.rand(80, 6), context=24, horizon=4, size=16):
        print(nn.functional.l1_loss(model(x, c), y).item())


if __name__ == "__main__":
    main()
