import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ReviewScorer(nn.Module):
    def __init__(self, vocab=300, dim=20, filters=12, sizes=(2, 3, 4)):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList([nn.Conv1d(dim, filters, k) for k in sizes])
        self.fc = nn.Linear(filters * len(sizes), 1)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        pooled = [torch.relu(conv(x)).max(dim=-1).values for conv in self.convs]
        return self.fc(torch.cat(pooled, dim=1)).squeeze()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    scores, truth = [], []
    for ids, label in loader:
        scores.append(torch.sigmoid(model(ids)))
        truth.append(label)
    scores, truth = torch.cat(scores), torch.cat(truth)
    return ((scores > 0.5).long() == truth).float().mean().item()


def main():
    data = TensorDataset(torch.randint(0, 300, (25, 30)), torch.randint(0, 2, (25,)))
    print(evaluate(ReviewScorer(), DataLoader(data, batch_size=8)))


if __name__ == "__main__":
    main()
