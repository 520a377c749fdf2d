import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

CLIPS = [torch.randn(40, 13), torch.randn(32, 13), torch.randn(51, 13), torch.randn(40, 13)]


def collate(batch):
    lengths = torch.tensor([len(x) for x in batch])
    return pad_sequence(batch, batch_first=True), lengths


class Tagger(nn.Module):
    def __init__(self, mfcc=13, hidden=20, tags=5):
        super().__init__()
        self.rnn = nn.GRU(mfcc, hidden, batch_first=True)
        self.out = nn.Linear(hidden, tags)

    def forward(self, x, lengths):
        y, _ = self.rnn(x)
        last = (lengths - 1).view(-1, 1, 1).expand(-1, 1, y.size(-1))
        return self.out(y.gather(1, last).squeeze(1))


def main():
    model = Tagger()
    for x, lengths in DataLoader(CLIPS, batch_size=2, collate_fn=collate):
        print(model(x, lengths).shape)


if __name__ == "__main__":
    main()
