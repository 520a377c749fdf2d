import torch
import torch.nn.functional as F
from torch import nn


class MixinFreeze:
    def freeze(self, prefix=""):
        for name, p in self.named_parameters():
            if name.startswith(prefix):
                p.requires_grad = False
        return self


class SentencePair(MixinFreeze, nn.Module):
    COMBINE = ("u", "v", "diff", "prod")

    def __init__(self, vocab=100, dim=12, hidden=16, labels=3):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.proj = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh())
        self.cls = nn.Linear(hidden * len(self.COMBINE), labels)

    def encode(self, ids):
        return self.proj(self.embed(ids))

    def forward(self, left, right):
        u, v = self.encode(left), self.encode(right)
        feats = torch.cat([u, v, (u - v).abs(), u * v], dim=-1)
        return self.cls(feats)


def evaluate(model, batches):
    hits = total = 0
    for left, right, gold in batches:
        pred = model(left, right).argmax(dim=-1)
        hits += (pred == gold).sum().item()
        total += gold.numel()
    return hits / max(total, 1)


def main():
    model = SentencePair().freeze("embed")
    batches = [(torch.randint(0, 100, (8, 5)), torch.randint(0, 100, (8, 6)), torch.randint(0, 3, (8,))) for _ in range(2)]
    print(evaluate(model, batches))
    left, right, gold = batches[0]
    print(F.cross_entropy(model(left, right), gold).item())


if __name__ == "__main__":
    main()
