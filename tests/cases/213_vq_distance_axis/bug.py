import torch
import torch.nn.functional as F
from torch import nn


class VectorQuantizer(nn.Module):
    def __init__(self, n_codes=32, dim=8, beta=0.25):
        super().__init__()
        self.n_codes, self.dim, self.beta = n_codes, dim, beta
        self.codebook = nn.Embedding(n_codes, dim)
        nn.init.uniform_(self.codebook.weight, -1 / n_codes, 1 / n_codes)

    def forward(self, z):
        z = z.permute(0, 2, 3, 1).contiguous()
        flat = z.view(-1, self.dim)
        w = self.codebook.weight
        dist = flat.pow(2).sum(1, keepdim=True) + w.pow(2).sum(1) - 2 * flat @ w.t()
        codes = dist.argmin(dim=0)
        q = self.codebook(codes).view(z.shape)
        loss = F.mse_loss(q, z.detach()) + self.beta * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        usage = F.one_hot(codes, self.n_codes).float().mean(0)
        perplexity = torch.exp(-(usage * torch.log(usage + 1e-10)).sum())
        return q.permute(0, 3, 1, 2), loss, perplexity


class VQVAE(nn.Module):
    def __init__(self, ch=3, dim=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(ch, 16, 4, 2, 1), nn.ReLU(), nn.Conv2d(16, dim, 4, 2, 1))
        self.vq = VectorQuantizer(dim=dim)
        self.dec = nn.Sequential(nn.ConvTranspose2d(dim, 16, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(16, ch, 4, 2, 1))

    def forward(self, x):
        q, vq_loss, _ = self.vq(self.enc(x))
        x_hat = self.dec(q)
        return F.mse_loss(x_hat, x) + vq_loss


if __name__ == "__main__":
    loss = VQVAE()(torch.rand(2, 3, 32, 32))
    loss.backward()
    print(loss.item())
