import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, n=40, vocab=100):
        g = torch.Generator().manual_seed(0)
        self.items = []
        for i in range(n):
            length = int(torch.randint(3, 12, (1,), generator=g))
            self.items.append((torch.randint(1, vocab, (length,), generator=g), i % 2))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    batch = sorted(batch, key=lambda item: -len(item[0]))
    ids, labels = zip(*batch)
    lengths = torch.tensor([len(i) for i in ids])
    return pad_sequence(list(ids), batch_first=True), lengths, torch.tensor(labels)


class Classifier(nn.Module):
    def __init__(self, vocab=100, dim=16, hidden=20, layers=2, classes=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.LSTM(dim, hidden, layers, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(2 * hidden, classes)

    def encode(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True)
        _, (h, _) = self.rnn(packed)
        return torch.cat([h[:, -2], h[:, -1]], dim=1)

    def forward(self, ids, lengths):
        return self.head(self.drop(self.encode(ids, lengths)))


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def step(self, batch):
        ids, lengths, labels = batch
        loss = self.criterion(self.model(ids, lengths), labels)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    loader = DataLoader(Reviews(), batch_size=8, shuffle=True, collate_fn=collate)
    trainer = Trainer(Classifier())
    print([trainer.step(batch) for batch in loader])


if __name__ == "__main__":
    main()
