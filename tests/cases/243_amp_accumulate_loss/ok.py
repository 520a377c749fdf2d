import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n)

    def forward(self, h):
        return self.out(self.norm(h))


class SoftPrototypes(nn.Module):
    def __init__(self, dim, n, momentum=0.9):
        super().__init__()
        self.register_buffer("protos", torch.zeros(n, dim))
        self.momentum = momentum

    @torch.no_grad()
    def update(self, feats, labels):
        feats = feats.float()
        self.protos.index_add_(0, labels, feats, alpha=1 - self.momentum)


class Trainer:
    def __init__(self, accum=2):
        self.body = nn.Sequential(nn.Linear(12, 16), nn.GELU())
        self.head = Head(16, 4)
        self.protos = SoftPrototypes(16, 4)
        params = [*self.body.parameters(), *self.head.parameters()]
        self.opt = torch.optim.AdamW([{"params": params, "lr": 1e-3}])
        self.accum = accum

    def fit(self, batches):
        for i, (x, y) in enumerate(batches):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                h = self.body(x)
                loss = nn.functional.cross_entropy(self.head(h), y) / self.accum
            loss.backward()
            self.protos.update(h, y)
            if (i + 1) % self.accum == 0:
                self.opt.step()
                self.opt.zero_grad(set_to_none=True)
        return loss.item()


if __name__ == "__main__":
    data = [(torch.randn(8, 12), torch.randint(0, 4, (8,))) for _ in range(4)]
    print(Trainer().fit(data))
