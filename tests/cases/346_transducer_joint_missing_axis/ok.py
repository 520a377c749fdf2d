import torch
import torch.nn.functional as F
from torch import nn


class AcousticEncoder(nn.Module):
    def __init__(self, features, dim):
        super().__init__()
        self.rnn = nn.LSTM(features, dim, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]


class Predictor(nn.Module):
    def __init__(self, vocab, dim, blank=0):
        super().__init__()
        self.blank = blank
        self.embed = nn.Embedding(vocab, dim, padding_idx=blank)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, labels):
        start = labels.new_full((labels.shape[0], 1), self.blank)
        return self.rnn(self.embed(torch.cat([start, labels], dim=1)))[0]


class Joint(nn.Module):
    def __init__(self, dim, vocab):
        super().__init__()
        self.enc, self.pred = nn.Linear(dim, dim), nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(dim, vocab)

    def combine(self, encoded, predicted):
        encoded = self.enc(encoded).unsqueeze(2)
        predicted = self.pred(predicted).unsqueeze(1)
        return torch.tanh(encoded + predicted)

    def forward(self, encoded, predicted):
        return self.out(self.combine(encoded, predicted)).log_softmax(-1)


class Transducer(nn.Module):
    def __init__(self, features=20, vocab=12, dim=16):
        super().__init__()
        self.encoder = AcousticEncoder(features, dim)
        self.predictor = Predictor(vocab, dim)
        self.joint = Joint(dim, vocab)

    def forward(self, x, labels):
        return self.joint(self.encoder(x), self.predictor(labels))


def alignment_free_loss(lattice, labels):
    """A cheap stand-in for the transducer loss: every label somewhere in time."""
    emit = lattice[:, :, : labels.shape[1]].logsumexp(dim=1)
    return F.nll_loss(emit.transpose(1, 2), labels)


class Utterances:
    def __init__(self, batch_size, frames, labels):
        self.batch_size, self.frames, self.labels = batch_size, frames, labels

    def __iter__(self):
        for _ in range(2):
            x = torch.randn(self.batch_size, self.frames, 20)
            yield x, torch.randint(1, 12, (self.batch_size, self.labels))


def main():
    model = Transducer()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, labels in Utterances(batch_size=8, frames=8, labels=7):
        loss = alignment_free_loss(model(x, labels), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()


if __name__ == "__main__":
    main()
