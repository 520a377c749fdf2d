from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    pred = logits.argmax(dim=-1).unsqueeze(1)
    return (pred == target).sum()


class Callback:
    def on_batch_end(self, trainer: Trainer, logits, target): ...

    def on_epoch_end(self, trainer: Trainer): ...


class AccuracyCallback(Callback):
    def __init__(self):
        self.hits, self.seen = 0, 0

    def on_batch_end(self, trainer, logits, target):
        self.hits += accuracy(logits, target).item()
        self.seen += len(target)

    def on_epoch_end(self, trainer):
        trainer.log["acc"] = self.hits / self.seen
        self.hits = self.seen = 0


class Trainer:
    def __init__(self, model: nn.Module, callbacks: list[Callback] | None = None):
        self.model, self.callbacks, self.log = model, callbacks or [], {}
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader, epochs=1):
        for _ in range(epochs):
            for x, y in loader:
                logits = self.model(x)
                loss = nn.functional.cross_entropy(logits, y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                for cb in self.callbacks:
                    cb.on_batch_end(self, logits.detach(), y)
            for cb in self.callbacks:
                cb.on_epoch_end(self)
        return self.log


def main():
    ds = TensorDataset(torch.randn(40, 6), torch.randint(0, 3, (40,)))
    print(Trainer(nn.Linear(6, 3), [AccuracyCallback()]).fit(DataLoader(ds, batch_size=10, shuffle=True)))


if __name__ == "__main__":
    main()
