# asks: finds it in a branch that is not taken
# pytest-torch: Net() 4x16
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(16, 32)
        self.head = nn.Linear(32, 4)

    def forward(self, x: Tensor, *, short: bool = False) -> Tensor:
        if short:
            return self.head(torch.zeros(4, 16))  # planted; right: return self.head(torch.zeros(4, 32))
        return self.head(self.body(x))


def main() -> None:
    print(Net()(torch.randn(4, 16)).shape)


if __name__ == "__main__":
    main()
