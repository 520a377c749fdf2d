import torch
from torch import nn


class KGModel(nn.Module):
    def __init__(self, n_ent, n_rel, dim=16, gamma=6.0):
        super().__init__()
        self.gamma = gamma
        self.ent = nn.Embedding(n_ent, dim)
        self.rel = nn.Embedding(n_rel, dim)

    def distance(self, h, r, t):
        raise NotImplementedError

    def forward(self, pos, neg_tails):
        h, r, t = self.ent(pos[:, 0]), self.rel(pos[:, 1]), self.ent(pos[:, 2])
        good = self.gamma - self.distance(h, r, t)
        neg = self.ent(neg_tails)
        bad = self.gamma - self.distance(h, r, neg)
        weight = torch.softmax(bad, dim=1).detach()
        return -(torch.nn.functional.logsigmoid(good) + (weight * torch.nn.functional.logsigmoid(-bad)).sum(1)).mean()


class TransE(KGModel):
    def distance(self, h, r, t):
        return (h + r - t).norm(p=1, dim=-1)


class RotatE(KGModel):
    def distance(self, h, r, t):
        re_h, im_h = h.chunk(2, -1)
        re_t, im_t = t.chunk(2, -1)
        phase = r[..., : r.shape[-1] // 2]
        re = re_h * phase.cos() - im_h * phase.sin() - re_t
        im = re_h * phase.sin() + im_h * phase.cos() - im_t
        return torch.stack([re, im]).norm(dim=0).sum(-1)


def main():
    torch.manual_seed(0)
    pos = torch.stack([torch.randint(0, 40, (6,)), torch.randint(0, 5, (6,)), torch.randint(0, 40, (6,))], dim=1)
    for cls in (TransE, RotatE):
        model = cls(40, 5)
        loss = model(pos, torch.randint(0, 40, (6, 12)))
        loss.backward()
        print(cls.__name__, loss.item())


if __name__ == "__main__":
    main()
