import torch
from torch import nn


class GatedMIL(nn.Module):
    """Attention pooling over the instances of a bag."""

    def __init__(self, dim=20, hidden=12):
        super().__init__()
        self.v, self.u = nn.Linear(dim, hidden), nn.Linear(dim, hidden)
        self.w = nn.Linear(hidden, 1)
        self.out = nn.Linear(dim, 2)

    def forward(self, bags, counts=None):
        gate = torch.tanh(self.v(bags)) * torch.sigmoid(self.u(bags))
        score = self.w(gate).squeeze(-1)
        if counts is not None:
            empty = torch.arange(bags.size(1)).unsqueeze(0) >= counts.unsqueeze(1)
            score = score.masked_fill(empty, float("-inf"))
        alpha = score.softmax(dim=1)
        pooled = torch.bmm(alpha.unsqueeze(1), bags).squeeze(1)
        return self.out(pooled), alpha


def main():
    model = GatedMIL()
    bags, counts = torch.randn(6, 9, 20), torch.tensor([9, 3, 4, 9, 1, 7])
    logits, alpha = model(bags, counts)
    label = torch.tensor([0, 1, 1, 0, 1, 0])
    loss = nn.functional.cross_entropy(logits, label)
    loss.backward()
    print(loss.item(), alpha[4, 0].item())


if __name__ == "__main__":
    main()
