import torch
from jaxtyping import Float
from torch import Tensor, nn


class Refiner(nn.Module):
    def __init__(self, cin: int = 3, width: int = 16):
        super().__init__()
        self.inp = nn.Conv2d(cin, width, 3, stride=2, padding=1)
        self.out = nn.Conv2d(width, 4 * cin, 3, padding=1)
        self.shuffle = nn.PixelShuffle(2)

    def forward(self, x: Float[Tensor, "b 3 24 24"]) -> Float[Tensor, "b 3 24 24"]:
        b, c, h, w = x.shape
        y = self.out(torch.relu(self.inp(x)))
        assert y.shape == (b, 4 * c, h // 2, w // 2), y.shape
        return x + self.shuffle(y)


class Pipeline(nn.Module):
    def __init__(self, steps: int = 2, share: bool = False):
        super().__init__()
        first = Refiner()
        self.steps = nn.ModuleList(first if share else Refiner() for _ in range(steps))

    def forward(self, x: Float[Tensor, "b 3 24 24"]) -> Float[Tensor, "b 3 24 24"]:
        for step in self.steps:
            x = step(x)
        return x


def main() -> None:
    print(Pipeline()(torch.rand(2, 3, 24, 24)).shape)


if __name__ == "__main__":
    main()
