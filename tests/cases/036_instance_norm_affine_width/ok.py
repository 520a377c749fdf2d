import torch
from jaxtyping import Float
from torch import Tensor, nn


class ConvLayer(nn.Module):
    def __init__(self, cin: int, cout: int, kernel: int, stride: int, norm: bool = True):
        super().__init__()
        self.pad = nn.ReflectionPad2d(kernel // 2)
        self.conv = nn.Conv2d(cin, cout, kernel, stride)
        self.norm = nn.InstanceNorm2d(cout, affine=True) if norm else nn.Identity()

    def forward(self, x: Float[Tensor, "b cin h w"]) -> Float[Tensor, "b cout h2 w2"]:
        return self.norm(self.conv(self.pad(x)))


class TransformerNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(ConvLayer(3, 16, 9, 1), nn.ReLU(), ConvLayer(16, 32, 3, 2), nn.ReLU())
        self.up = nn.Sequential(nn.Upsample(scale_factor=2), ConvLayer(32, 3, 9, 1, norm=False))

    def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b 3 h w"]:
        return torch.sigmoid(self.up(self.down(x)))


def main() -> None:
    print(TransformerNet()(torch.rand(1, 3, 32, 32)).shape)


if __name__ == "__main__":
    main()
