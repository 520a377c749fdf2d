import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class Chomp1d(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return x[:, :, : -self.size].contiguous()


class TemporalBlock(nn.Module):
    def __init__(self, n_in, n_out, kernel, dilation, dropout=0.1):
        super().__init__()
        pad = (kernel - 1) * dilation
        self.net = nn.Sequential(
            weight_norm(nn.Conv1d(n_in, n_out, kernel, padding=pad, dilation=dilation)),
            Chomp1d(pad),
            nn.ReLU(),
            nn.Dropout(dropout),
            weight_norm(nn.Conv1d(n_out, n_out, kernel, padding=pad, dilation=dilation)),
            Chomp1d(pad),
            nn.ReLU(),
            nn.Dropout(dropout),
        )
        self.downsample = nn.Conv1d(n_in, n_out, 1) if n_in != n_out else None
        self.relu = nn.ReLU()

    def forward(self, x):
        out = self.net(x)
        res = x if self.downsample is None else self.downsample(x)
        return self.relu(out + res)


class TCN(nn.Module):
    def __init__(self, n_in, channels, kernel=3):
        super().__init__()
        layers = []
        for i, c in enumerate(channels):
            layers.append(TemporalBlock(channels[i - 1] if i else n_in, c, kernel, dilation=2 ** i))
        self.network = nn.Sequential(*layers)
        self.linear = nn.Linear(channels[-1], 1)

    def forward(self, x):
        y = self.network(x.transpose(1, 2))
        return self.linear(y[:, :, -1])


def main():
    model = TCN(n_in=4, channels=[16, 16, 32])
    series = torch.randn(6, 50, 4)
    print(model(series).shape)


if __name__ == "__main__":
    main()
