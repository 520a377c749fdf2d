import torch
from torch import nn


class ConvBNAct(nn.Module):
    def __init__(self, dim, kernel=5):
        super().__init__()
        self.dw = nn.Conv1d(dim, dim, kernel, padding=kernel // 2, groups=dim)
        self.bn = nn.BatchNorm1d(dim)
        self.pw = nn.Linear(dim, dim)

    def forward(self, x):
        y = self.dw(x.transpose(1, 2))
        y = self.bn(y).transpose(1, 2)
        return x + self.pw(torch.nn.functional.silu(y))


class ConformerLite(nn.Module):
    def __init__(self, feats=40, dim=32, depth=2, vocab=29):
        super().__init__()
        self.proj = nn.Linear(feats, dim)
        self.blocks = nn.Sequential(*(ConvBNAct(dim) for _ in range(depth)))
        self.ctc = nn.Linear(dim, vocab)

    def forward(self, feats):
        return self.ctc(self.blocks(self.proj(feats))).log_softmax(-1)


def main():
    model = ConformerLite()
    feats = torch.randn(3, 50, 40)
    logp = model(feats)
    targets = torch.randint(1, 29, (3, 12))
    loss = nn.functional.ctc_loss(logp.transpose(0, 1), targets, torch.full((3,), 50), torch.full((3,), 12))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
