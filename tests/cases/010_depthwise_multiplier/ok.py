import torch
from jaxtyping import Float
from torch import Tensor, nn


class SeparableConv(nn.Module):
    def __init__(self, cin: int, cout: int, stride: int = 1):
        super().__init__()
        self.depthwise = nn.Conv2d(cin, cin, 3, stride=stride, padding=1, groups=cin)
        self.pointwise = nn.Conv2d(cin, cout, 1)
        self.norm = nn.GroupNorm(4, cout)

    def forward(self, x: Float[Tensor, "b cin h w"]) -> Float[Tensor, "b cout h2 w2"]:
        return self.norm(self.pointwise(self.depthwise(x))).relu()


class KeywordSpotter(nn.Module):
    def __init__(self, labels: int = 12):
        super().__init__()
        self.stem = nn.Conv2d(1, 16, (10, 4), stride=(2, 2), padding=(5, 1))
        self.body = nn.Sequential(SeparableConv(16, 40), SeparableConv(40, 40, stride=2))
        self.fc = nn.Linear(40, labels)

    def forward(self, mfcc: Float[Tensor, "b 1 frames coeffs"]) -> Float[Tensor, "b labels"]:
        x = self.body(self.stem(mfcc))
        return self.fc(x.mean(dim=(2, 3)))


def main() -> None:
    print(KeywordSpotter()(torch.randn(3, 1, 49, 10)).shape)


if __name__ == "__main__":
    main()
