import torch
from torch import nn


class LengthPenalty(nn.Module):
    def __init__(self, vocab=60, dim=16, target=6.0):
        super().__init__()
        self.target = target
        self.emb = nn.Embedding(vocab, dim)
        self.gate = nn.Linear(dim, 1)

    def forward(self, ids, pad=0):
        gate = torch.sigmoid(self.gate(self.emb(ids))).squeeze(-1)
        keep = ids != pad
        soft = (gate * keep).sum(dim=1)
        hard = keep.sum(dim=1)
        return (soft - self.target).abs().mean(), hard


def summarize(lengths):
    average = lengths.mean()
    longest = lengths.max()
    share = (lengths > average).float().mean()
    return {"mean": average.item(), "max": longest.item(), "above": share.item()}


def main():
    ids = torch.randint(0, 60, (8, 12))
    model = LengthPenalty()
    loss, lengths = model(ids)
    loss.backward()
    print(loss.item(), summarize(lengths))


if __name__ == "__main__":
    main()
