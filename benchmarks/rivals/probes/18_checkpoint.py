# asks: finds state that a checkpoint does not contain
# pytest-torch: Whiten() 4x8
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Whiten(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.register_buffer("turn", torch.randn(8, 8), persistent=False)  # planted; right: self.register_buffer("turn", torch.randn(8, 8))

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return self.fc(x) @ self.turn


def main() -> None:
    print(Whiten()(torch.randn(4, 8)).shape)


if __name__ == "__main__":
    main()
