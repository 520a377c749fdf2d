import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Houses(Dataset):
    def __init__(self, n=60):
        self.x = torch.randn(n, 7)
        self.y = self.x @ torch.arange(7.0) + 0.5

    def __len__(self):
        return self.x.shape[0]

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Regressor(nn.Module):
    def __init__(self, n_in=7):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


def batch_loss(model, x, y):
    return nn.MSELoss()(model(x).squeeze(1), y)


def main():
    model = Regressor()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for x, y in DataLoader(Houses(), batch_size=20, shuffle=True):
        loss = batch_loss(model, x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
