import torch
from torch import nn


class RelativeBias(nn.Module):
    """A learned bias for each head and distance."""

    def __init__(self, heads, reach=16):
        super().__init__()
        self.reach = reach
        self.table = nn.Embedding(2 * reach + 1, heads)

    def forward(self, length):
        places = torch.arange(length)
        distance = (places[None] - places[:, None]).clamp(-self.reach, self.reach) + self.reach
        return self.table(distance).permute(2, 0, 1)


class RelativeAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, 3 * dim)
        self.bias = RelativeBias(heads)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).unbind(2)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * self.scale
        weights = (scores + self.bias(n)).softmax(dim=-1)
        return self.out(torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, n, d))


class Encoder(nn.Module):
    def __init__(self, vocabulary=50, dim=32, heads=4, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList([RelativeAttention(dim, heads) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.LayerNorm(dim) for _ in range(depth)])

    def forward(self, ids):
        x = self.embed(ids)
        for layer, norm in zip(self.layers, self.norms):
            x = x + layer(norm(x))
        return x.mean(dim=1)


def test_encoder_returns_one_vector_per_text():
    ids, lengths = torch.randint(0, 50, (4, 12)), torch.full((4,), 12)
    vectors = Encoder(heads=4)(ids)
    assert vectors.dim() == 2 and len(vectors) == len(lengths)


if __name__ == "__main__":
    test_encoder_returns_one_vector_per_text()
