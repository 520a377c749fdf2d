import torch
from torch import nn

CARDINALITIES = [7, 12, 31, 4]
CONTINUOUS = 5


def embedding_width(n):
    return min(16, (n + 1) // 2)


class TabularNet(nn.Module):
    def __init__(self, cards, n_cont, layers=(64, 32)):
        super().__init__()
        self.embeds = nn.ModuleList([nn.Embedding(c, embedding_width(c)) for c in cards])
        n_emb = sum(e.embedding_dim for e in self.embeds)
        self.bn_cont = nn.BatchNorm1d(n_cont)
        sizes = [n_emb + n_cont, *layers]
        body = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            body += [nn.Linear(a, b), nn.ReLU(), nn.BatchNorm1d(b)]
        body.append(nn.Linear(sizes[-1], 1))
        self.body = nn.Sequential(*body)

    def forward(self, cat, cont):
        parts = [emb(cat[:, i]) for i, emb in enumerate(self.embeds)]
        x = torch.cat(parts, dim=1)
        x = torch.cat([x, self.bn_cont(cont)], dim=1)
        return self.body(x)


def main():
    model = TabularNet(CARDINALITIES, CONTINUOUS)
    cat = torch.stack([torch.randint(0, c, (20,)) for c in CARDINALITIES], dim=1)
    print(model(cat, torch.randn(20, CONTINUOUS)).shape)


if __name__ == "__main__":
    main()
