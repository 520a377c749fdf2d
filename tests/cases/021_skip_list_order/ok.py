import torch
import torch.nn.functional as F
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


def block(cin: int, cout: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, widths: tuple[int, ...] = (8, 16, 32)):
        super().__init__()
        self.down = nn.ModuleList(block(a, b) for a, b in zip((1, *widths[:-1]), widths))
        self.mid = block(widths[-1], 2 * widths[-1])
        self.up = nn.ModuleList()
        for w in reversed(widths):
            self.up.append(nn.ModuleList([nn.ConvTranspose2d(2 * w, w, 2, stride=2), block(2 * w, w)]))
        self.out = nn.Conv2d(widths[0], 1, 1)

    @jaxtyped(typechecker=beartype)
    def forward(self, x: Float[Tensor, "b 1 h w"]) -> Float[Tensor, "b 1 h w"]:
        skips = []
        for layer in self.down:
            x = layer(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        x = self.mid(x)
        for (up, conv), skip in zip(self.up, reversed(skips)):
            x = conv(torch.cat([skip, up(x)], dim=1))
        return self.out(x)


def main() -> None:
    print(UNet()(torch.rand(2, 1, 32, 32)).shape)


if __name__ == "__main__":
    main()
