import torch
from jaxtyping import Float
from torch import Tensor, nn


class PlateReader(nn.Module):
    chars: int = 36

    def __init__(self, width: int = 64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.AvgPool2d(2),
        )
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(2 * width, self.chars)

    def forward(self, img: Float[Tensor, "b 1 32 48"]) -> Float[Tensor, "b {self.chars}"]:
        x = self.pool(self.features(img))
        return self.fc(x.flatten(1))


def main() -> None:
    net = PlateReader()
    out = net(torch.rand(3, 1, 32, 48))
    print(out.argmax(dim=-1))


if __name__ == "__main__":
    main()
