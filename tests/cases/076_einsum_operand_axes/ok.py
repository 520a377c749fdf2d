import torch
from jaxtyping import Float
from torch import Tensor, nn


class DynamicFilter(nn.Module):
    """A 1x1 filter per sample, predicted from its mean colour."""

    def __init__(self, cin: int = 8, cout: int = 12):
        super().__init__()
        self.cin, self.cout = cin, cout
        self.predict = nn.Sequential(nn.Linear(cin, 32), nn.ReLU(), nn.Linear(32, cin * cout))

    def weights(self, x: Float[Tensor, "b cin h w"]) -> Float[Tensor, "b cout cin"]:
        flat = self.predict(x.mean(dim=(2, 3)))
        return flat.view(-1, self.cout, self.cin)

    def forward(self, x: Float[Tensor, "b cin h w"]) -> Float[Tensor, "b cout h w"]:
        return torch.einsum("bchw,boc->bohw", x, self.weights(x))


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.dynamic = DynamicFilter()

    def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b 12 h w"]:
        return self.dynamic(torch.relu(self.stem(x)))


def main() -> None:
    print(Model()(torch.rand(2, 3, 10, 10)).shape)


if __name__ == "__main__":
    main()
