import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD = 0


class Tags(Dataset):
    def __init__(self, n=12):
        g = torch.Generator().manual_seed(0)
        self.items = []
        for i in range(n):
            k = 3 + i % 5
            self.items.append((torch.randint(1, 40, (k,), generator=g), torch.randint(1, 6, (k,), generator=g)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, True, PAD)


class Tagger(nn.Module):
    def __init__(self, vocab=40, dim=16, hidden=20, n_tags=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.rnn = nn.GRU(dim, hidden // 2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(hidden, n_tags)

    def forward(self, words):
        h, _ = self.rnn(self.emb(words))
        return self.out(h)


def main():
    torch.manual_seed(0)
    model = Tagger()
    loss_fn = nn.CrossEntropyLoss(ignore_index=PAD)
    for words, tags in DataLoader(Tags(), batch_size=4, collate_fn=collate):
        scores = model(words)
        loss = loss_fn(scores.transpose(1, 2), tags)
        loss.backward()
    print(float(loss))


if __name__ == "__main__":
    main()
