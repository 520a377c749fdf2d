import torch
from torch import nn


def lengths_to_mask(lengths, max_len=None):
    max_len = max_len or int(lengths.max())
    return torch.arange(max_len)[None, :] < lengths[:, None]


class PointerScorer(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.w1, self.w2 = nn.Linear(dim, dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.v = nn.Linear(dim, 1, bias=False)

    def forward(self, query, memory, mask):
        u = self.v(torch.tanh(self.w1(memory) + self.w2(query).unsqueeze(1))).squeeze(-1)
        penalty = (1 - mask) * -1e4
        return torch.log_softmax(u + penalty, dim=-1)


def main():
    lengths = torch.tensor([5, 3, 7])
    memory = torch.randn(3, 7, 16)
    mask = lengths_to_mask(lengths)
    query = memory.masked_fill(~mask.unsqueeze(-1), 0).sum(1) / lengths[:, None]
    logp = PointerScorer()(query, memory, mask)
    loss = nn.functional.nll_loss(logp, lengths - 1)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
