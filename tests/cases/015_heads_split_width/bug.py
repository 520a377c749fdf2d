import torch
from jaxtyping import Float
from torch import Tensor, nn


class SelfAttention(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.heads = heads
        self.head_dim = dim // heads
        self.to_q = nn.Linear(dim, dim)
        self.to_k = nn.Linear(dim, dim)
        self.to_v = nn.Linear(dim, dim)

    def split(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b heads n head_dim"]:
        b, n, _ = x.shape
        return x.view(b, n, self.heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n dim"]:
        b, n, d = x.shape
        q, k, v = map(self.split, (self.to_q(x), self.to_k(x), self.to_v(x)))
        att = (q @ k.transpose(-2, -1)) / self.head_dim**0.5
        out = att.softmax(dim=-1) @ v
        return out.transpose(1, 2).reshape(b, n, d)


class PoetryModel(nn.Module):
    def __init__(self, vocab: int = 64, dim: int = 48):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.att = SelfAttention(dim, heads=4)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.out(self.att(self.emb(ids)))


def main() -> None:
    model = PoetryModel(dim=50)
    print(model(torch.randint(0, 64, (2, 11))).shape)


if __name__ == "__main__":
    main()
