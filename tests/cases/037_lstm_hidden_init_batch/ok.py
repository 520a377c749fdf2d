import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class StockLSTM(nn.Module):
    def __init__(self, n_features=5, hidden=32, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.lstm = nn.LSTM(n_features, hidden, layers, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def init_state(self, batch):
        shape = (self.layers, batch, self.hidden)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, x):
        h0, c0 = self.init_state(x.size(0))
        out, _ = self.lstm(x, (h0, c0))
        return self.linear(out[:, -1, :])


def windows(series, length):
    return series.unfold(0, length, 1).transpose(1, 2)


def main():
    x = windows(torch.randn(63, 5), 24)
    y = torch.randn(40, 1)
    model = StockLSTM()
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=8):
        loss = nn.functional.mse_loss(model(xb), yb)
    print(loss.item())


if __name__ == "__main__":
    main()
