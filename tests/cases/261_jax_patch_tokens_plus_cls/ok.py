import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def add_cls(tokens: Float[Tensor, "b n d"], cls: Float[Tensor, "d"]) -> Float[Tensor, "b n+1 d"]:
    first = cls.expand(tokens.shape[0], 1, -1)
    return torch.cat([first, tokens], dim=1)


@jaxtyped(typechecker=beartype)
def patchify(img: Float[Tensor, "b c h w"], size: int) -> Float[Tensor, "b n p"]:
    b, c, h, w = img.shape
    x = img.unfold(2, size, size).unfold(3, size, size)
    return x.permute(0, 2, 3, 1, 4, 5).reshape(b, (h // size) * (w // size), c * size * size)


class TinyViT(nn.Module):
    def __init__(self, size: int = 4, dim: int = 16, classes: int = 3):
        super().__init__()
        self.size = size
        self.embed = nn.Linear(3 * size * size, dim)
        self.cls = nn.Parameter(torch.zeros(dim))
        self.mix = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.head = nn.Linear(dim, classes)

    def forward(self, img: Float[Tensor, "b c h w"]) -> Float[Tensor, "b classes"]:
        x = add_cls(self.embed(patchify(img, self.size)), self.cls)
        x = x + self.mix(x, x, x, need_weights=False)[0]
        return self.head(x[:, 0])


def main() -> None:
    print(TinyViT()(torch.rand(2, 3, 16, 12)).shape)


if __name__ == "__main__":
    main()
