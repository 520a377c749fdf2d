import torch
import torch.nn.functional as F
from torch import nn


class AttnDecoder(nn.Module):
    def __init__(self, vocab, emb=20, enc=32, hidden=28):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.score = nn.Linear(enc + hidden, 1)
        self.cell = nn.GRUCell(emb, hidden)
        self.out = nn.Linear(hidden + enc, vocab)

    def step(self, token, h, memory):
        query = h.unsqueeze(1).expand(-1, memory.size(1), -1)
        energy = self.score(torch.cat([memory, query], dim=-1)).squeeze(-1)
        weights = F.softmax(energy, dim=-1)
        context = torch.bmm(weights.unsqueeze(1), memory).squeeze(1)
        h = self.cell(torch.cat([self.emb(token), context], dim=-1), h)
        return self.out(torch.cat([h, context], dim=-1)), h

    def forward(self, tokens, h, memory):
        logits = []
        for t in range(tokens.size(1)):
            step, h = self.step(tokens[:, t], h, memory)
            logits.append(step)
        return torch.stack(logits, dim=1)


def main():
    dec = AttnDecoder(vocab=40)
    logits = dec(torch.randint(0, 40, (3, 6)), torch.zeros(3, 28), torch.randn(3, 10, 32))
    print(F.cross_entropy(logits.flatten(0, 1), torch.randint(0, 40, (18,))).item())


if __name__ == "__main__":
    main()
