from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.fc.forward(x)
        return y


def main() -> None:
    net = Net()
    print(net.forward(Tensor(1, 4)).shape)
