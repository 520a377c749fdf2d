import torch
from torch import nn


class TinyDecoder(nn.Module):
    def __init__(self, vocab=48, dim=24):
        super().__init__()
        self.vocab = vocab
        self.emb = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, dim, 3)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        x = nn.functional.pad(x, (2, 0))
        return self.out(torch.relu(self.conv(x)).transpose(1, 2))


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.criterion = nn.CrossEntropyLoss(ignore_index=0)
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, ids):
        logits = self.model(ids[:, :-1])
        target = ids[:, 1:]
        loss = self.criterion(logits.reshape(-1, self.model.vocab), target.reshape(-1))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return float(loss)


def main():
    trainer = Trainer(TinyDecoder())
    print(trainer.step(torch.randint(0, 48, (4, 17))))


if __name__ == "__main__":
    main()
