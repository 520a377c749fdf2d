import torch
from einops import rearrange, repeat
from torch import nn


class ViT(nn.Module):
    def __init__(self, image=32, patch=8, dim=48, classes=10, depth=1):
        super().__init__()
        self.patch = patch
        n = (image // patch) ** 2
        self.embed = nn.Linear(3 * patch * patch, dim)
        self.cls = nn.Parameter(torch.randn(dim))
        self.pos = nn.Parameter(torch.randn(1, n + 1, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 96, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, img):
        x = rearrange(img, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=self.patch, p2=self.patch)
        x = self.embed(x)
        cls = repeat(self.cls, "d -> b 1 d", b=x.shape[0])
        x = torch.cat([cls, x], dim=1) + self.pos
        return self.head(self.body(x)[:, 0])


def crop(img, border):
    return img[..., border:-border, border:-border]


def main():
    model = ViT()
    img = torch.rand(2, 3, 34, 34)
    print(model(crop(img, 2)).shape)


if __name__ == "__main__":
    main()
