import torch
import torch.nn.functional as F
from torch import nn


def pairwise_logistic(scores, relevance):
    """All ordered pairs: scores (N,), relevance (N,)."""
    diff = scores.unsqueeze(1) - scores.unsqueeze(0)
    better = (relevance[:, None] > relevance[None, :]).float()
    return (better * F.softplus(-diff)).sum() / better.sum().clamp(min=1)


def dcg(scores, relevance, k=5):
    order = scores.argsort(descending=True)[:k]
    gain = 2 ** relevance[order].float() - 1
    discount = torch.log2(torch.arange(2, gain.numel() + 2).float())
    return (gain / discount).sum()


class Scorer(nn.Module):
    def __init__(self, doc=12, query=8):
        super().__init__()
        self.doc, self.query = doc, query
        self.mlp = nn.Sequential(nn.Linear(doc + query, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, docs, query):
        q = query.unsqueeze(0).repeat(docs.shape[0], 1)
        return self.mlp(torch.cat([docs, q], dim=1)).view(-1)


def main():
    model = Scorer()
    docs, query = torch.randn(15, 12), torch.randn(8)
    relevance = torch.randint(0, 4, (15,))
    scores = model(docs, query)
    print(pairwise_logistic(scores, relevance).item(), dcg(scores, relevance).item())


if __name__ == "__main__":
    main()
