from collections import Counter

import torch
from torch import nn

CORPUS = [
    ("the cat sat", "D N V"),
    ("a dog ran home", "D N V N"),
    ("birds sing", "N V"),
    ("the old dog sat", "D A N V"),
    ("home birds ran", "N N V"),
]


class Vocabulary:
    def __init__(self, sequences, special=("<pad>",)):
        counts = Counter(w for s in sequences for w in s.split())
        self.words = [*special, *sorted(counts)]
        self.index = {w: i for i, w in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, text):
        return torch.tensor([self.index[w] for w in text.split()])


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(tags))
        self.transitions = nn.Parameter(torch.randn(tags, tags) * 0.1)

    def score(self, emissions, tags, mask):
        picked = emissions.gather(2, tags[..., None]).squeeze(2)
        steps = self.transitions[tags[:, :-1], tags[:, 1:]]
        return self.start[tags[:, 0]] + (picked * mask).sum(1) + (steps * mask[:, 1:]).sum(1)

    def partition(self, emissions, mask):
        alpha = self.start + emissions[:, 0]
        for t in range(1, emissions.shape[1]):
            step = emissions[:, t : t + 1]
            scores = alpha.unsqueeze(2) + self.transitions + step.unsqueeze(1)
            alpha = torch.where(mask[:, t, None].bool(), scores.logsumexp(1), alpha)
        return alpha.logsumexp(1)

    def forward(self, emissions, tags, mask):
        return (self.partition(emissions, mask) - self.score(emissions, tags, mask)).mean()


class Tagger(nn.Module):
    def __init__(self, words, tags, dim=12):
        super().__init__()
        self.embed = nn.Embedding(words, dim, padding_idx=0)
        self.rnn = nn.LSTM(dim, dim, batch_first=True, bidirectional=True)
        self.emit = nn.Linear(2 * dim, tags)
        self.crf = CRF(tags)

    def loss(self, words, tags):
        mask = (words != 0).float()
        return self.crf(self.emit(self.rnn(self.embed(words))[0]), tags, mask)


def main():
    words, tags = Vocabulary([w for w, _ in CORPUS]), Vocabulary([t for _, t in CORPUS], special=())
    x = nn.utils.rnn.pad_sequence([words.encode(w) for w, _ in CORPUS], batch_first=True)
    y = nn.utils.rnn.pad_sequence([tags.encode(t) for _, t in CORPUS], batch_first=True)
    model = Tagger(len(words), len(tags))
    opt = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(5):
        loss = model.loss(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
