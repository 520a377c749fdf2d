import torch
from torch import nn


class Editor(nn.Module):
    def __init__(self, vocab=40, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, ids):
        return self.score(self.emb(ids)).squeeze(-1)


def keep_scores(model, ids, pad=0):
    """Scores of the tokens that are not padding, zero elsewhere."""
    real = ids != pad
    out = torch.zeros_like(ids)
    out[real] = model(ids)[real]
    return out


def main():
    model = Editor()
    ids = torch.randint(1, 40, (4, 10))
    ids[2, 7:] = 0
    scores = keep_scores(model, ids)
    loss = (scores.sum(dim=1) - torch.ones(4)).pow(2).mean()
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
