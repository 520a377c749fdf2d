import torch
from jaxtyping import Float
from torch import Tensor, nn


def partition(x: Float[Tensor, "b h w c"], size: int) -> Float[Tensor, "bn s s c"]:
    b, h, w, c = x.shape
    x = x.view(b, h // size, size, w // size, size, c)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, size, size, c)


def reverse(win: Float[Tensor, "bn s s c"], h: int, w: int) -> Float[Tensor, "b h w c"]:
    s, c = win.shape[1], win.shape[-1]
    x = win.view(-1, h // s, w // s, s, s, c)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, h, w, c)


class WindowMixer(nn.Module):
    def __init__(self, dim: int = 12, size: int = 4):
        super().__init__()
        self.size = size
        self.mix = nn.Linear(size * size, size * size)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x: Float[Tensor, "b h w c"]) -> Float[Tensor, "b h w c"]:
        _, h, w, c = x.shape
        win = partition(self.norm(x), self.size)
        tokens = win.reshape(-1, self.size**2, c).transpose(1, 2)
        tokens = self.mix(tokens).transpose(1, 2)
        return x + reverse(tokens.reshape(-1, self.size, self.size, c), h, w)


def main() -> None:
    print(WindowMixer()(torch.randn(2, 8, 12, 12)).shape)


if __name__ == "__main__":
    main()
