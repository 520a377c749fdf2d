import torch
from torch import nn


class PatchEmbed(nn.Module):
    def __init__(self, img=32, patch=8, dim=40):
        super().__init__()
        self.n = (img // patch) ** 2
        self.proj = nn.Conv2d(3, dim, kernel_size=patch, stride=patch)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class TinyViT(nn.Module):
    def __init__(self, dim=40, classes=5):
        super().__init__()
        self.patch = PatchEmbed(dim=dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, self.patch.n + 1, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=1)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        tokens = self.patch(x)
        tokens = torch.cat((self.cls, tokens), dim=1) + self.pos
        return self.head(self.encoder(tokens)[:, 0])


def main():
    model = TinyViT()
    print(model(torch.randn(4, 3, 32, 32)).shape)


if __name__ == "__main__":
    main()
