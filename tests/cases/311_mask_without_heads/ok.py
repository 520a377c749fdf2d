from typing import Optional

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, count=12, vocab=60):
        self.rows = [torch.randint(1, vocab, (4 + i % 5,)) for i in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i], self.rows[i].sum() % 2


def pad(batch):
    rows, labels = zip(*batch)
    ids = nn.utils.rnn.pad_sequence(list(rows), batch_first=True)
    return ids, ids != 0, torch.stack(labels)


class Attention(nn.Module):
    def __init__(self, dim: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / (d // self.heads) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None], float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


class Layer(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(dim), nn.LayerNorm(dim)])
        self.attn = Attention(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = x + self.attn(self.norms[0](x), mask)
        return x + self.ff(self.norms[1](x))


class Encoder(nn.Module):
    def __init__(self, vocab: int = 60, dim: int = 32, depth: int = 2, classes: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList([Layer(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)

    def forward(self, ids: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x, mask)
        if mask is None:
            return self.head(x.mean(1))
        weights = mask.unsqueeze(-1).to(x.dtype)
        return self.head((x * weights).sum(1) / weights.sum(1))


def main() -> None:
    model = Encoder()
    for ids, mask, labels in DataLoader(Sentences(), batch_size=6, collate_fn=pad):
        print(nn.functional.cross_entropy(model(ids, mask), labels).item())


if __name__ == "__main__":
    main()
