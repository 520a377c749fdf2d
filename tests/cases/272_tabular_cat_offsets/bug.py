import torch
from torch import nn


class CategoricalEmbedding(nn.Module):
    def __init__(self, cardinalities, dim_rule=lambda n: min(50, (n + 1) // 2)):
        super().__init__()
        dims = [dim_rule(n) for n in cardinalities]
        self.embs = nn.ModuleList(nn.Embedding(n + 1, d, padding_idx=0) for n, d in zip(cardinalities, dims))
        self.out_dim = sum(dims)

    def forward(self, x):
        return torch.cat([emb(x[:, i]) for i, emb in enumerate(self.embs)], dim=1)


class TabularNet(nn.Module):
    @classmethod
    def from_schema(cls, schema, **kw):
        cards = [len(v) for v in schema.values() if v is not None]
        n_num = sum(v is None for v in schema.values())
        return cls(cards, n_num, **kw)

    def __init__(self, cards, n_num, hidden=(32, 16), p=0.1):
        super().__init__()
        self.cat = CategoricalEmbedding(cards)
        self.bn = nn.BatchNorm1d(n_num)
        sizes = [self.cat.out_dim + len(cards), *hidden]
        blocks = []
        for a, b in zip(sizes, sizes[1:]):
            blocks.append(nn.Sequential(nn.Linear(a, b), nn.ReLU(inplace=True), nn.Dropout(p)))
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(sizes[-1], 1)

    def forward(self, x_cat, x_num):
        x = torch.cat([self.cat(x_cat), self.bn(x_num)], dim=1)
        return self.head(self.body(x)).squeeze(-1)


def main():
    schema = {"city": list("abcdefgh"), "age": None, "job": ["x", "y", "z"], "income": None, "score": None}
    net = TabularNet.from_schema(schema, hidden=(24,))
    x_cat = torch.stack([torch.randint(1, 9, (10,)), torch.randint(1, 4, (10,))], dim=1)
    out = net(x_cat, torch.randn(10, 3))
    loss = nn.functional.binary_cross_entropy_with_logits(out, torch.randint(0, 2, (10,)).float())
    loss.backward()


if __name__ == "__main__":
    main()
