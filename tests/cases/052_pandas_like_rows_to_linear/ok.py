import torch
from torch import nn

ROWS = [
    [34, 1, 2, 180],
    [51, 0, 0, 165],
    [27, 1, 1, 172],
    [44, 0, 3, 169],
]


class RiskModel(nn.Module):
    def __init__(self, n_in, hidden=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return torch.sigmoid(self.net(x)).squeeze(-1)


def load():
    x = torch.tensor(ROWS, dtype=torch.float32)
    y = torch.tensor([1.0, 0.0, 0.0, 1.0])
    return x, y


def main():
    x, y = load()
    model = RiskModel(x.shape[1])
    loss = nn.functional.binary_cross_entropy(model(x), y)
    print(loss.item())


if __name__ == "__main__":
    main()
