import torch
import torch.nn as nn
import torch.nn.functional as F


def pairwise(a, b):
    return (a.pow(2).sum(1, keepdim=True) + b.pow(2).sum(1)[None, :] - 2 * a @ b.t()).clamp_min(1e-12).sqrt()


def hard_triplet(emb, labels, margin=0.3):
    dist = pairwise(emb, emb)
    same = labels[:, None] == labels[None, :]
    eye = torch.eye(len(labels), dtype=torch.bool)
    pos = dist.masked_fill(~same | eye, -1.0).max(dim=1).values
    neg_dist = dist.masked_fill(same, float("inf"))
    neg, neg_idx = neg_dist.min(dim=1)
    hardest = emb.gather(0, neg_idx)
    assert hardest.shape == emb.shape
    drift = (F.pairwise_distance(emb, hardest) - neg).abs().mean()
    return F.relu(pos - neg + margin).mean(), drift.detach()


class Embedder(nn.Module):
    def __init__(self, n_in=30, dim=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 24), nn.PReLU(), nn.Linear(24, dim))

    def forward(self, x):
        return F.normalize(self.body(x), p=2, dim=-1)


def main():
    torch.manual_seed(1)
    labels = torch.arange(4).repeat_interleave(3)
    loss, drift = hard_triplet(Embedder()(torch.randn(12, 30)), labels)
    loss.backward()
    print(loss.item(), drift.item())


if __name__ == "__main__":
    main()
