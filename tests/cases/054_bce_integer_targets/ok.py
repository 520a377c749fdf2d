import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SpamFilter(nn.Module):
    def __init__(self, vocab=500, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.out = nn.Linear(dim, 1)

    def forward(self, ids):
        return self.out(self.bag(ids)).squeeze(1)


def train(model, loader, epochs=1):
    criterion = nn.BCEWithLogitsLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for ids, label in loader:
            opt.zero_grad()
            logits = model(ids)
            loss = criterion(logits, label.float())
            loss.backward()
            opt.step()
    return loss.item()


def main():
    ids = torch.randint(0, 500, (30, 15))
    labels = torch.randint(0, 2, (30,))
    loader = DataLoader(TensorDataset(ids, labels), batch_size=10)
    print(f"final loss {train(SpamFilter(), loader):.4f}")


if __name__ == "__main__":
    main()
