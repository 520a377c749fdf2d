import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, num_layers=2, dropout=0.2)

    def forward(self, src):
        outputs, state = self.rnn(self.embedding(src))
        return outputs, state


class Attention(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.wa = nn.Linear(hid, hid, bias=False)
        self.wc = nn.Linear(2 * hid, hid)

    def forward(self, query, memory):
        q = query.permute(1, 0, 2)
        m = memory.permute(1, 0, 2)
        score = torch.bmm(self.wa(q), m.transpose(1, 2))
        align = score.softmax(dim=-1)
        context = torch.bmm(align, m)
        return torch.tanh(self.wc(torch.cat([context, q], dim=2))).transpose(0, 1), align


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, num_layers=2, dropout=0.2)
        self.attention = Attention(hid)
        self.out = nn.Linear(hid, vocab)

    def forward(self, token, state, memory):
        out, state = self.rnn(self.embedding(token.unsqueeze(0)), state)
        out, align = self.attention(out, memory)
        return self.out(out).squeeze(0), state, align


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab=30, tgt_vocab=25, emb=12, hid=18):
        super().__init__()
        self.encoder = Encoder(src_vocab, emb, hid)
        self.decoder = Decoder(tgt_vocab, emb, hid)

    def forward(self, src, tgt):
        memory, state = self.encoder(src)
        steps = []
        for token in tgt[:-1]:
            logits, state, _ = self.decoder(token, state, memory)
            steps.append(logits)
        return torch.stack(steps)


if __name__ == "__main__":
    src, tgt = torch.randint(0, 30, (9, 4)), torch.randint(0, 25, (6, 4))
    logits = Seq2Seq()(src, tgt)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt[1:].flatten())
    loss.backward()
    print(logits.shape)
