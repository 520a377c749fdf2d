import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class IrisNet(nn.Module):
    def __init__(self, n_in=4, n_out=3):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 16)
        self.fc2 = nn.Linear(16, n_out)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


def run_epoch(model, loader, opt=None):
    total, correct = 0.0, 0
    for x, y in loader:
        out = model(x)
        loss = F.cross_entropy(y, out)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total += loss.item() * x.size(0)
        correct += (out.argmax(dim=1) == y).sum().item()
    n = len(loader.dataset)
    return total / n, correct / n


def main():
    data = TensorDataset(torch.randn(45, 4), torch.randint(0, 3, (45,)))
    model = IrisNet()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    print(run_epoch(model, DataLoader(data, batch_size=15), opt))


if __name__ == "__main__":
    main()
