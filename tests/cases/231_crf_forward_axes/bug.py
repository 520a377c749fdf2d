import torch
from torch import nn


class CRF(nn.Module):
    def __init__(self, n_tags):
        super().__init__()
        self.n_tags = n_tags
        self.start = nn.Parameter(torch.randn(n_tags) * 0.1)
        self.end = nn.Parameter(torch.randn(n_tags) * 0.1)
        self.trans = nn.Parameter(torch.randn(n_tags, n_tags) * 0.1)

    def forward(self, emissions, tags, mask):
        return (self.partition(emissions, mask) - self.score(emissions, tags, mask)).mean()

    def score(self, emissions, tags, mask):
        t, b, _ = emissions.shape
        rows = torch.arange(b)
        s = self.start[tags[0]] + emissions[0, rows, tags[0]]
        for i in range(1, t):
            s = s + (self.trans[tags[i - 1], tags[i]] + emissions[i, rows, tags[i]]) * mask[i]
        last = tags[mask.long().sum(0) - 1, rows]
        return s + self.end[last]

    def partition(self, emissions, mask):
        alpha = self.start + emissions[0]
        for i in range(1, emissions.size(0)):
            nxt = alpha.unsqueeze(2) + self.trans + emissions[i].unsqueeze(1)
            nxt = torch.logsumexp(nxt, dim=1)
            alpha = torch.where(mask[i], nxt, alpha)
        return torch.logsumexp(alpha + self.end, dim=1)


class BiLSTMCRF(nn.Module):
    def __init__(self, vocab=30, n_tags=4, hidden=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, 12)
        self.lstm = nn.LSTM(12, hidden // 2, bidirectional=True)
        self.lin = nn.Linear(hidden, n_tags)
        self.crf = CRF(n_tags)

    def forward(self, words, tags, mask):
        return self.crf(self.lin(self.lstm(self.emb(words))[0]), tags, mask)


def main():
    t, b = 8, 3
    mask = torch.arange(t)[:, None] < torch.tensor([8, 6, 3])
    loss = BiLSTMCRF()(torch.randint(0, 30, (t, b)), torch.randint(0, 4, (t, b)), mask)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
