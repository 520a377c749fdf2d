import torch
from jaxtyping import Float
from torch import Tensor, nn


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int, reduction: int = 4):
        super().__init__()
        self.fc = nn.Sequential(
            nn.Linear(channels, channels // reduction),
            nn.ReLU(),
            nn.Linear(channels // reduction, channels),
            nn.Sigmoid(),
        )

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c h w"]:
        gate: Float[Tensor, "b c"] = self.fc(x.mean(dim=(-2, -1)))
        return x * gate[..., None, None]


class Stem(nn.Module):
    def __init__(self, width: int = 24):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.se = SqueezeExcite(width)

    def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b c h2 w2"]:
        return self.se(torch.nn.functional.hardswish(self.conv(x)))


def main() -> None:
    print(Stem()(torch.randn(2, 3, 20, 20)).shape)


if __name__ == "__main__":
    main()
