import torch
from jaxtyping import Float
from torch import Tensor, nn


class DilatedStack(nn.Module):
    def __init__(self, features: int, width: int, levels: int):
        super().__init__()
        self.inp = nn.Conv1d(features, width, 1)
        self.layers = nn.ModuleList()
        for level in range(levels):
            d = 2**level
            self.layers.append(nn.Conv1d(width, width, 3, padding=d, dilation=d))

    def forward(self, x: Float[Tensor, "b features t"]) -> Float[Tensor, "b width t"]:
        x = self.inp(x)
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return x


class Forecaster(nn.Module):
    def __init__(self, features: int = 8, horizon: int = 6):
        super().__init__()
        self.stack = DilatedStack(features, 32, 4)
        self.head = nn.Linear(32, horizon)

    def forward(self, series: Float[Tensor, "b t 8"]) -> Float[Tensor, "b horizon"]:
        h = self.stack(series)
        return self.head(h[:, :, -1])


def main() -> None:
    print(Forecaster()(torch.randn(4, 50, 8)).shape)


if __name__ == "__main__":
    main()
