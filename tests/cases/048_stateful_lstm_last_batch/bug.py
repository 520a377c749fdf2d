import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, length=6):
        self.series, self.length = series, length

    def __len__(self):
        return len(self.series) - self.length

    def __getitem__(self, i):
        return self.series[i : i + self.length].unsqueeze(-1), self.series[i + self.length]


class LoadModel(nn.Module):
    def __init__(self, batch, hidden=24):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)
        self.state = (torch.zeros(1, batch, hidden), torch.zeros(1, batch, hidden))

    def forward(self, x):
        out, state = self.rnn(x, self.state)
        self.state = tuple(s.detach() for s in state)
        return self.fc(out[:, -1]).squeeze(-1)


def main():
    series = torch.sin(torch.arange(40).float() / 3)
    loader = DataLoader(Windows(series), batch_size=10)
    model = LoadModel(batch=10)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
    print(loss.item())


if __name__ == "__main__":
    main()
