import torch
from torch import nn


class Conv2dSubsampling(nn.Module):
    """Four times fewer frames, as in speech recognisers."""

    def __init__(self, idim, odim):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, odim, 3, 2), nn.ReLU(), nn.Conv2d(odim, odim, 3, 2), nn.ReLU())
        self.out = nn.Linear(odim * (idim // 4), odim)

    def forward(self, x, x_mask):
        x = self.conv(x.unsqueeze(1))
        b, c, t, f = x.size()
        x = self.out(x.transpose(1, 2).contiguous().view(b, t, c * f))
        if x_mask is None:
            return x, None
        return x, x_mask[:, :, :-2:2][:, :, :-2:2]


class Encoder(nn.Module):
    def __init__(self, idim=80, dim=16, heads=4, blocks=1):
        super().__init__()
        self.embed = Conv2dSubsampling(idim, dim)
        self.heads = heads
        self.layers = nn.ModuleList(
            [nn.TransformerEncoderLayer(dim, heads, 2 * dim, batch_first=True) for _ in range(blocks)]
        )

    def forward(self, feats, lengths):
        masks = (torch.arange(feats.size(1))[None] < lengths[:, None]).unsqueeze(1)
        x, masks = self.embed(feats, masks)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=~masks.squeeze(1))
        return x, masks.squeeze(1).sum(1)


def main():
    enc = Encoder()
    x, n = enc(torch.randn(3, 60, 80), torch.tensor([60, 50, 41]))
    print(x.shape, n)


if __name__ == "__main__":
    main()
