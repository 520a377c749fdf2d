import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=100):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(1)])


class Translator(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=32, nhead=4, layers=1):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.src, self.tgt = nn.Embedding(src_vocab, d_model), nn.Embedding(tgt_vocab, d_model)
        self.pe = PositionalEncoding(d_model)
        self.core = nn.Transformer(d_model, nhead, layers, layers, 64, batch_first=True)
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        causal = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        s = self.pe(self.src(src) * self.scale)
        t = self.pe(self.tgt(tgt) * self.scale)
        y = self.core(s, t, tgt_mask=causal, src_key_padding_mask=src == 0)
        return self.out(y)


def main():
    model = Translator(50, 60)
    src, tgt = torch.randint(1, 50, (4, 12)), torch.randint(1, 60, (4, 9))
    logits = model(src, tgt[:, :-1])
    loss = nn.functional.cross_entropy(logits.permute(0, 2, 1), tgt[:, 1:])
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
