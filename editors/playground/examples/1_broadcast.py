# A loss that broadcasts
import torch
from jaxtyping import Float
from torch import Tensor, nn


class Score(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(8, 1)

    def forward(self, x: Float[Tensor, "batch 8"]) -> Float[Tensor, "batch 1"]:
        return self.fc(x).softmax(0)


def train() -> None:
    scores = Score()(torch.randn(4, 8))
    loss = (scores - torch.zeros(4)).square().mean()
    loss.backwards()
