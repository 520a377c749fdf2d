import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Churn(nn.Module):
    def __init__(self, n_in=9):
        super().__init__()
        self.hidden = nn.Linear(n_in, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def accuracy(model, loader):
    model.eval()
    hits, n = 0, 0
    with torch.no_grad():
        for x, y in loader:
            logits = model(x)
            pred = torch.sigmoid(logits) > 0.5
            hits += (pred == y.bool()).sum().item()
            n += y.size(0)
    return hits / n


def main():
    x = torch.randn(48, 9)
    y = (x.sum(dim=1) > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=16)
    model = Churn()
    opt = torch.optim.Adam(model.parameters())
    for xb, yb in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(xb).squeeze(1), yb.float())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(accuracy(model, loader))


if __name__ == "__main__":
    main()
