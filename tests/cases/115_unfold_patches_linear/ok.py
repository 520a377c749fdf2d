import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class Involution(nn.Module):
    """Every 4x4 patch is rewritten by a small network."""

    def __init__(self, channels: int = 3, patch: int = 4):
        super().__init__()
        self.patch = patch
        dim = channels * patch * patch
        self.net = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x: Float[Tensor, "b c 28 28"]) -> Float[Tensor, "b c 28 28"]:
        cols = F.unfold(x, kernel_size=self.patch, stride=self.patch)
        cols = self.net(cols.transpose(1, 2)).transpose(1, 2)
        return F.fold(cols, output_size=x.shape[-2:], kernel_size=self.patch, stride=self.patch)


class Restorer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Involution(), Involution()])

    def forward(self, x: Float[Tensor, "b 3 28 28"]) -> Float[Tensor, "b 3 28 28"]:
        for block in self.blocks:
            x = x + block(x)
        return x.clamp(0, 1)


def main() -> None:
    print(Restorer()(torch.rand(2, 3, 28, 28)).shape)


if __name__ == "__main__":
    main()
