import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class IntentModel(nn.Module):
    def __init__(self, vocab=50, emb=16, hidden=24, intents=6):
        super().__init__()
        self.hidden = hidden
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.gru = nn.GRU(emb, hidden, num_layers=2, bidirectional=True, batch_first=True)
        self.slots = nn.Linear(2 * hidden, 4)
        self.intent = nn.Linear(2 * hidden, intents)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        packed_out, h = self.gru(packed)
        out, _ = pad_packed_sequence(packed_out, batch_first=True)
        h = h.view(2, 2, ids.size(0), self.hidden)[-1]
        last = torch.cat([h[0], h[1]], dim=-1)
        return self.slots(out), self.intent(last)


def main():
    model = IntentModel()
    ids = torch.randint(1, 50, (5, 12))
    lengths = torch.tensor([12, 9, 7, 3, 12])
    slots, intent = model(ids, lengths)
    print(slots.shape, intent.shape)


if __name__ == "__main__":
    main()
