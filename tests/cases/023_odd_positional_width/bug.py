import math

import torch
from torch import nn


def sinusoid_table(length, width):
    table = torch.zeros(length, width)
    pos = torch.arange(length).float().unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    table[:, 0::2] = torch.sin(pos * div)
    table[:, 1::2] = torch.cos(pos * div)
    return table


class SensorEncoder(nn.Module):
    def __init__(self, sensors, window):
        super().__init__()
        self.register_buffer("table", sinusoid_table(window, sensors))
        self.rnn = nn.GRU(sensors, 24, batch_first=True)
        self.fc = nn.Linear(24, 1)

    def forward(self, x):
        out, _ = self.rnn(x + self.table)
        return self.fc(out[:, -1])


def main():
    model = SensorEncoder(sensors=15, window=30)
    x = torch.randn(8, 30, 15)
    y = torch.randn(8, 1)
    loss = nn.functional.smooth_l1_loss(model(x), y)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
