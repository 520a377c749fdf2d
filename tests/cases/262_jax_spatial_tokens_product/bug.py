import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn

FeatureMap = Float[Tensor, "b c h w"]


class ToTokens(nn.Module):
    @jaxtyped(typechecker=beartype)
    def forward(self, x: FeatureMap) -> Float[Tensor, "b h*w c"]:
        return x.flatten(2)


class ToMap(nn.Module):
    def __init__(self, h: int, w: int) -> None:
        super().__init__()
        self.h, self.w = h, w

    def forward(self, x: Float[Tensor, "b n c"]) -> FeatureMap:
        return x.transpose(1, 2).unflatten(2, (self.h, self.w))


class Bottleneck(nn.Module):
    def __init__(self, c: int = 12, h: int = 5, w: int = 7) -> None:
        super().__init__()
        self.tokens, self.map = ToTokens(), ToMap(h, w)
        self.norm = nn.LayerNorm(c)
        self.mlp = nn.Sequential(nn.Linear(c, 2 * c), nn.GELU(), nn.Linear(2 * c, c))

    def forward(self, x: FeatureMap) -> FeatureMap:
        t = self.tokens(x)
        return x + self.map(self.mlp(self.norm(t)))


def main() -> None:
    print(Bottleneck()(torch.randn(2, 12, 5, 7)).shape)


if __name__ == "__main__":
    main()
