import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, bidirectional=False, hidden=24):
        super().__init__()
        self.conv = nn.Conv1d(12, 16, 5, padding=2)
        self.gru = nn.GRU(16, hidden, batch_first=True, bidirectional=bidirectional)
        self.fc = nn.Linear(hidden * (2 if bidirectional else 1), 4)

    def encode(self, x):
        x = torch.relu(self.conv(x)).transpose(1, 2)
        x = self.gru(x)[1]
        return x[:, -1]

    def forward(self, x):
        h = self.encode(x)
        assert h.shape[0] == x.shape[0]
        return self.fc(h)


def main():
    for flag in (False, True):
        model = Reader(bidirectional=flag)
        logits = model(torch.randn(5, 12, 31))
        print(flag, logits.softmax(dim=-1).shape)


if __name__ == "__main__":
    main()
