import torch
import torch.nn.functional as F
from torch import nn


class Backbone(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1)
        )
        self.project = nn.Sequential(nn.Flatten(), nn.Linear(16, dim))

    def forward(self, x):
        return F.normalize(self.project(self.net(x)), dim=1)


class Prototypes(nn.Module):
    def __init__(self, dim, count):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(count, dim))

    @torch.no_grad()
    def renormalize(self):
        w = self.weight.data.clone()
        w = F.normalize(w, dim=1)
        self.weight.copy_(w)

    def forward(self, x):
        return x @ self.weight.t()


@torch.no_grad()
def sinkhorn(scores, eps=0.05, rounds=3):
    q = torch.exp(scores / eps).t()
    q /= q.sum()
    for _ in range(rounds):
        q /= q.sum(dim=1, keepdim=True) * q.shape[0]
        q /= q.sum(dim=0, keepdim=True) * q.shape[1]
    return (q * q.shape[1]).t()


class SwAV(nn.Module):
    def __init__(self, dim=16, prototypes=12, temperature=0.1):
        super().__init__()
        self.backbone = Backbone(dim)
        self.prototypes = Prototypes(dim, prototypes)
        self.temperature = temperature

    def forward(self, views):
        self.prototypes.renormalize()
        scores = [self.prototypes(self.backbone(v)) for v in views]
        codes = [sinkhorn(s.detach()) for s in scores]
        loss = 0.0
        for i, code in enumerate(codes):
            for j, score in enumerate(scores):
                if i != j:
                    loss = loss - (code * (score / self.temperature).log_softmax(1)).sum(1).mean()
        return loss / (len(views) * (len(views) - 1))


def multi_crop(images, crops=2):
    return [images + 0.1 * torch.randn_like(images) for _ in range(crops)]


def main():
    model = SwAV()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        loss = model(multi_crop(torch.rand(8, 3, 16, 16)))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
