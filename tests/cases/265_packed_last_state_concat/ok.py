import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class UtteranceEncoder(nn.Module):
    def __init__(self, feats=13, hidden=20, layers=2, classes=4):
        super().__init__()
        self.rnn = nn.LSTM(feats, hidden, layers, bidirectional=True, batch_first=True, dropout=0.1)
        self.attn = nn.Linear(2 * hidden, 1)
        self.head = nn.Linear(4 * hidden, classes)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        out, (h, _) = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        final = torch.cat([h[-2], h[-1]], dim=-1)
        mask = torch.arange(out.size(1)) >= lengths[:, None]
        w = self.attn(out).squeeze(-1).masked_fill(mask, float("-inf")).softmax(dim=1)
        ctx = torch.einsum("bt,bth->bh", w, out)
        return self.head(torch.cat([final, ctx], dim=-1))


def main():
    seqs = [torch.randn(n, 13) for n in (9, 12, 5)]
    lengths = torch.tensor([len(s) for s in seqs])
    x = pad_sequence(seqs, batch_first=True)
    print(UtteranceEncoder()(x, lengths).shape)


if __name__ == "__main__":
    main()
