import torch
from jaxtyping import Float
from torch import Tensor, nn


class EcgBlock(nn.Module):
    def __init__(self, cin: int, cout: int, length: int, stride: int = 2):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 7, stride=stride, padding=3)
        self.norm = nn.LayerNorm([cout, length])

    def forward(self, x: Float[Tensor, "b cin length"]) -> Float[Tensor, "b cout half"]:
        return torch.relu(self.norm(self.conv(x)))


class EcgNet(nn.Module):
    def __init__(self, leads: int = 12, length: int = 256, classes: int = 5):
        super().__init__()
        self.b1 = EcgBlock(leads, 32, length)
        self.b2 = EcgBlock(32, 64, length // 2)
        self.fc = nn.Linear(64, classes)

    def forward(self, ecg: Float[Tensor, "b leads 256"]) -> Float[Tensor, "b classes"]:
        x = self.b2(self.b1(ecg))
        return self.fc(x.mean(dim=-1))


def main() -> None:
    print(EcgNet()(torch.randn(4, 12, 256)).shape)


if __name__ == "__main__":
    main()
