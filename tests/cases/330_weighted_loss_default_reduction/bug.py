import functools

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

LOSSES = {
    "mse": functools.partial(nn.functional.mse_loss, reduction="none"),
    "huber": functools.partial(nn.functional.smooth_l1_loss, reduction="none", beta=0.5),
}


class Houses(Dataset):
    def __init__(self, rows=48):
        g = torch.Generator().manual_seed(0)
        self.numeric = torch.randn(rows, 6, generator=g)
        self.area = torch.randint(0, 5, (rows,), generator=g)
        self.price = self.numeric.sum(1, keepdim=True) + 0.1 * self.area[:, None]
        self.weight = torch.rand(rows, generator=g)

    def __len__(self):
        return len(self.price)

    def __getitem__(self, i):
        return {"x": self.numeric[i], "area": self.area[i], "y": self.price[i], "w": self.weight[i]}


class TabularNet(nn.Module):
    def __init__(self, numeric=6, areas=5, dim=4, width=32):
        super().__init__()
        self.area = nn.Embedding(areas, dim)
        self.norm = nn.BatchNorm1d(numeric)
        self.body = nn.Sequential(nn.Linear(numeric + dim, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 1))

    def forward(self, x, area):
        return self.body(torch.cat([self.norm(x), self.area(area)], dim=1))


class Fitter:
    def __init__(self, model, loss="huber", lr=1e-2):
        self.model = model
        self.loss_fn = LOSSES[loss]
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)

    def batch_loss(self, pred, batch):
        errors = self.loss_fn(pred, batch["y"])
        weights = batch["w"] / batch["w"].sum()
        return (errors * weights).sum()

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for batch in loader:
            loss = self.batch_loss(self.model(batch["x"], batch["area"]), batch)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(loader)


def main():
    loader = DataLoader(Houses(), batch_size=12, shuffle=True)
    fitter = Fitter(TabularNet())
    for epoch in range(2):
        print(epoch, fitter.epoch(loader))


if __name__ == "__main__":
    main()
