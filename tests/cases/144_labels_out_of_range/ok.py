import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

LINES = ["0.1 0.4 1", "0.7 0.2 3", "0.9 0.9 5", "0.3 0.1 2", "0.2 0.8 4", "0.5 0.5 5"]


class TextTable(Dataset):
    def __init__(self, lines):
        rows = [[float(v) for v in line.split()] for line in lines]
        self.x = torch.tensor([r[:2] for r in rows])
        self.y = torch.tensor([int(r[2]) - 1 for r in rows])

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main():
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 5))
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(TextTable(LINES), batch_size=3):
        loss = criterion(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
