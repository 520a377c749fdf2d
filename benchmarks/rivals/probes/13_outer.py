# asks: finds (N, 1) - (N,) in a loss
# pytest-torch: Loss() output=8x4,target=8
import torch
from torch import Tensor, nn


class Loss(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Linear(4, 1)

    def forward(self, output: Tensor, target: Tensor) -> Tensor:
        return ((self.model(output) - target) ** 2).mean()  # planted; right: return ((self.model(output)[:, 0] - target) ** 2).mean()


def main() -> None:
    print(Loss()(torch.randn(8, 4), torch.randn(8)))


if __name__ == "__main__":
    main()
