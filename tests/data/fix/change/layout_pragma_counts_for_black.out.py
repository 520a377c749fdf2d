# options: --style runtime
from torch import Tensor, nn


class Encoder(nn.Module):
    def forward(self, hidden_states: Tensor, mask: Tensor) -> Tensor:
        return hidden_states * mask

    def __call__(
        self, hidden_states: Tensor, mask: Tensor
    ) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(hidden_states, mask)
        return result
