import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, vocab=64, dim=24, max_len=32):
        super().__init__()
        self.word = nn.Embedding(vocab, dim)
        self.position = nn.Embedding(max_len, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids):
        positions = torch.arange(ids.size(1), device=ids.device)
        return self.norm(self.word(ids) + self.position(positions))


class Classifier(nn.Module):
    def __init__(self, max_len=32, classes=3):
        super().__init__()
        self.emb = Embeddings(max_len=max_len)
        self.mix = nn.TransformerEncoderLayer(24, 4, 48, batch_first=True)
        self.out = nn.Linear(24, classes)

    def forward(self, ids):
        return self.out(self.mix(self.emb(ids)).mean(dim=1))


def main():
    model = Classifier()
    ids = torch.randint(0, 64, (2, 40))
    print(model(ids).shape)


if __name__ == "__main__":
    main()
