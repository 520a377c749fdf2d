import torch
import torch.nn.functional as F
from torch import nn


def smooth(counts, eps=1e-5):
    """(heads, codes) -> counts without zeros, whose sum for each head is kept"""
    codes = counts.shape[-1]
    total = counts.sum(dim=-1, keepdim=True)
    return (counts + eps) / (total + codes * eps) * counts.sum(dim=-1, keepdim=True)


class Codebook(nn.Module):
    def __init__(self, heads, codes, dim, decay=0.9):
        super().__init__()
        self.heads, self.codes, self.decay = heads, codes, decay
        self.register_buffer("embed", torch.randn(heads, codes, dim))
        self.register_buffer("counts", torch.ones(heads, codes))
        self.register_buffer("sums", self.embed.clone())

    def nearest(self, x):
        return torch.cdist(x, self.embed).argmin(dim=-1)

    @torch.no_grad()
    def update(self, x, index):
        onehot = F.one_hot(index, self.codes).to(x.dtype)
        self.counts.lerp_(onehot.sum(dim=1), 1 - self.decay)
        self.sums.lerp_(torch.einsum("hnc,hnd->hcd", onehot, x), 1 - self.decay)
        self.embed.copy_(self.sums / smooth(self.counts)[..., None])

    def forward(self, x):
        index = self.nearest(x)
        codes = self.embed.gather(1, index[..., None].expand(-1, -1, x.shape[-1]))
        if self.training:
            self.update(x, index)
        return codes, index


class MultiHeadVQ(nn.Module):
    def __init__(self, dim=32, heads=8, codes=8, commitment=0.25):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.commitment = heads, commitment
        self.codebook = Codebook(heads, codes, dim // heads)

    def forward(self, x):
        b, n, d = x.shape
        split = x.view(b * n, self.heads, -1).transpose(0, 1)
        codes, index = self.codebook(split)
        quantized = codes.transpose(0, 1).reshape(b, n, d)
        loss = self.commitment * F.mse_loss(quantized.detach(), x)
        return x + (quantized - x).detach(), index.view(self.heads, b, n), loss


class AutoEncoder(nn.Module):
    def __init__(self, features=12, dim=32):
        super().__init__()
        self.encode, self.decode = nn.Linear(features, dim), nn.Linear(dim, features)
        self.vq = MultiHeadVQ(dim)

    def forward(self, x):
        z, _, loss = self.vq(self.encode(x))
        return F.mse_loss(self.decode(z), x) + loss


def main():
    model = AutoEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(3):
        loss = model(torch.randn(4, 10, 12))
        opt.zero_grad()
        loss.backward()
        opt.step()


if __name__ == "__main__":
    main()
