import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class AgeRegressor(nn.Module):
    def __init__(self, n_in=6):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 32), nn.Dropout(0.1), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.body(x)


def per_item(pred, target):
    return F.huber_loss(pred.squeeze(1), target, reduction="none")


def fit(model, loader, epochs=1):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=epochs * len(loader))
    for epoch in range(epochs):
        running = 0.0
        for x, y in loader:
            loss = per_item(model(x), y).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            running += loss.item() * x.size(0)
    return running / len(loader.dataset)


def main():
    x = torch.randn(60, 6)
    y = x @ torch.randn(6) + 0.1 * torch.randn(60)
    train, val = random_split(TensorDataset(x, y), [48, 12])
    print(fit(AgeRegressor(), DataLoader(train, batch_size=16, shuffle=True)))


if __name__ == "__main__":
    main()
