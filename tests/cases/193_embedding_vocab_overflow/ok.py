import torch
from torch import nn

SPECIAL = ["<pad>", "<bos>", "<eos>", "<unk>"]


class CharTokenizer:
    def __init__(self, text):
        self.itos = SPECIAL + sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s, bos=True, eos=True):
        ids = [self.stoi.get(c, 3) for c in s]
        return [1] * bos + ids + [2] * eos


class CharLM(nn.Module):
    def __init__(self, vocab, dim=16, max_len=24):
        super().__init__()
        self.max_len = max_len
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(max_len, dim)
        self.gru = nn.GRU(dim, 32, batch_first=True)
        self.out = nn.Linear(32, vocab)

    def forward(self, ids):
        ids = ids[:, -self.max_len :]
        pos = torch.arange(ids.size(1))
        x = self.tok(ids) + self.pos(pos)
        return self.out(self.gru(x)[0])


def main():
    tok = CharTokenizer("the quick brown fox jumps over the lazy dog")
    ids = torch.randint(0, len(tok), (2, 30))
    print(CharLM(len(tok))(ids).shape)


if __name__ == "__main__":
    main()
