import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, n_ids, n_dense, out=16):
        super().__init__()
        self.emb = nn.Embedding(n_ids, 12)
        self.mlp = nn.Sequential(nn.Linear(12 + n_dense, 32), nn.ReLU(), nn.Linear(32, out))

    def forward(self, ids, dense):
        return F.normalize(self.mlp(torch.cat((self.emb(ids), dense), dim=-1)), dim=-1)


class Retrieval(nn.Module):
    def __init__(self, n_users=50, n_items=200):
        super().__init__()
        self.user, self.item = Tower(n_users, 3), Tower(n_items, 5)
        self.log_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, user, item, negatives=None):
        u, i = self.user(*user), self.item(*item)
        logits = u @ i.t()
        if negatives is not None:
            logits = torch.cat([logits, u @ self.item(*negatives).t()], dim=1)
        labels = torch.arange(logits.size(0))
        return F.cross_entropy(logits * self.log_scale.exp(), labels)


def fake(n_ids, n_dense, n):
    return torch.randint(0, n_ids, (n,)), torch.randn(n, n_dense)


def main():
    model = Retrieval()
    loss = model(fake(50, 3, 10), fake(200, 5, 10), fake(200, 5, 30))
    loss.backward()
    print(loss.item(), model(fake(50, 3, 4), fake(200, 5, 4)).item())


if __name__ == "__main__":
    main()
