# asks: finds it in a model that is never called
# pytest-torch: Net() 4x16
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(16, 32)
        self.head = nn.Linear(32, 4)

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 4"]:
        return self.head(x)  # planted; right: return self.head(self.body(x))
