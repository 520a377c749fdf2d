import torch
from jaxtyping import Float
from torch import Tensor, nn


class StyleEncoder(nn.Module):
    def __init__(self, styles: int = 6, dim: int = 16):
        super().__init__()
        self.styles = styles
        self.conv = nn.Conv2d(3, styles * dim, 4, stride=4)

    def forward(self, img: Float[Tensor, "b 3 h w"]):
        x = self.conv(img).mean(dim=(2, 3), keepdim=True)
        x = x.squeeze()
        return x.unflatten(1, (self.styles, -1))


class Mapper(nn.Module):
    def __init__(self, styles: int = 6, dim: int = 16):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim).repeat(styles, 1, 1))
        self.bias = nn.Parameter(torch.zeros(styles, dim))

    def forward(self, w):
        return torch.einsum("bsd,sde->bse", w, self.weight) + self.bias


def edit(encoder, mapper, image, strength=0.5):
    w = encoder(image)
    return torch.lerp(w, mapper(w), strength)


def main():
    image = torch.rand(1, 3, 16, 16)
    print(edit(StyleEncoder(), Mapper(), image).shape)


if __name__ == "__main__":
    main()
