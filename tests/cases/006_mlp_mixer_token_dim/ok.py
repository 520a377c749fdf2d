import torch
from jaxtyping import Float
from torch import Tensor, nn


class Mlp(nn.Sequential):
    def __init__(self, dim: int, hidden: int):
        super().__init__(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))


class MixerBlock(nn.Module):
    def __init__(self, tokens: int, dim: int):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.token_mix = Mlp(tokens, 2 * tokens)
        self.channel_mix = Mlp(dim, 4 * dim)

    def forward(self, x: Float[Tensor, "b tokens dim"]) -> Float[Tensor, "b tokens dim"]:
        y = self.norm1(x)
        x = x + self.token_mix(y.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mix(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, image: int = 16, patch: int = 4, dim: int = 32, depth: int = 2):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, patch, stride=patch)
        tokens = (image // patch) ** 2
        self.blocks = nn.Sequential(*(MixerBlock(tokens, dim) for _ in range(depth)))

    def forward(self, img: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b dim"]:
        x = self.stem(img).flatten(2).transpose(1, 2)
        return self.blocks(x).mean(dim=1)


def main() -> None:
    print(Mixer()(torch.randn(2, 3, 16, 16)).shape)


if __name__ == "__main__":
    main()
