import torch
import torch.nn.functional as F
from einops import einsum, rearrange
from torch import nn


class GumbelQuantizer(nn.Module):
    def __init__(self, n_hid, embed_dim, n_embed, straight_through=True):
        super().__init__()
        self.n_embed, self.straight_through, self.temperature = n_embed, straight_through, 1.0
        self.proj = nn.Conv2d(n_hid, n_embed, 1)
        self.embed = nn.Embedding(n_embed, embed_dim)

    def forward(self, z):
        hard = self.straight_through if self.training else True
        logits = self.proj(z)
        soft = F.gumbel_softmax(logits, tau=self.temperature, dim=1, hard=hard)
        z_q = einsum(soft, self.embed.weight, "b n h w, d n -> b d h w")
        qy = F.softmax(logits, dim=1)
        kl = torch.sum(qy * torch.log(qy * self.n_embed + 1e-10), dim=1).mean()
        return z_q, kl, soft.argmax(dim=1)


class DVAE(nn.Module):
    def __init__(self, ch=3, hid=16, embed=10, codes=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(ch, hid, 4, 2, 1), nn.ReLU(), nn.Conv2d(hid, hid, 4, 2, 1), nn.ReLU())
        self.quant = GumbelQuantizer(hid, embed, codes)
        self.dec = nn.Sequential(nn.ConvTranspose2d(embed, hid, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(hid, ch, 4, 2, 1))

    def forward(self, x):
        z_q, kl, idx = self.quant(self.enc(x))
        return self.dec(z_q), kl, rearrange(idx, "b h w -> b (h w)")


def main():
    x = torch.rand(2, 3, 16, 24)
    recon, kl, codes = DVAE()(x)
    print((F.mse_loss(recon, x) + 5e-4 * kl).item(), codes.shape)


if __name__ == "__main__":
    main()
