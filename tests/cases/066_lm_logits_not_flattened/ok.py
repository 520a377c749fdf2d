import torch
import torch.nn.functional as F
from torch import nn


class CharLM(nn.Module):
    def __init__(self, vocab=65, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, idx, targets=None):
        h, _ = self.rnn(self.emb(idx))
        logits = self.head(h)
        if targets is None:
            return logits, None
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))
        return logits, loss


def get_batch(data, block, batch):
    ix = torch.randint(0, len(data) - block - 1, (batch,))
    x = torch.stack([data[i : i + block] for i in ix])
    y = torch.stack([data[i + 1 : i + 1 + block] for i in ix])
    return x, y


def main():
    data = torch.randint(0, 65, (500,))
    model = CharLM()
    x, y = get_batch(data, block=16, batch=4)
    _, loss = model(x, y)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
