import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=64, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return self.dropout(x + self.pe[:, : x.size(1)])


class Tagger(nn.Module):
    def __init__(self, vocab=100, d_model=32, tags=7):
        super().__init__()
        self.d_model = d_model
        self.emb = nn.Embedding(vocab, d_model)
        self.pos = PositionalEncoding(d_model)
        self.out = nn.Linear(d_model, tags)

    def forward(self, ids):
        x = self.emb(ids) * math.sqrt(self.d_model)
        return self.out(self.pos(x))


def main():
    print(Tagger()(torch.randint(0, 100, (3, 20))).shape)


if __name__ == "__main__":
    main()
