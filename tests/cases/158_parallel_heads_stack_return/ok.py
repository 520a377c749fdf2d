import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


class Ensemble(nn.Module):
    members: int = 5

    def __init__(self, n_in: int = 10, classes: int = 3):
        super().__init__()
        self.nets = nn.ModuleList(
            nn.Sequential(nn.Linear(n_in, 16), nn.ReLU(), nn.Linear(16, classes)) for _ in range(self.members)
        )

    @jaxtyped(typechecker=beartype)
    def forward(self, x: Float[Tensor, "b n_in"]) -> Float[Tensor, "b {self.members} classes"]:
        return torch.stack([net(x) for net in self.nets], dim=1)


def disagreement(logits: Float[Tensor, "b members classes"]) -> Float[Tensor, " b"]:
    p = logits.softmax(dim=-1)
    mean = p.mean(dim=1)
    total = -(mean * mean.log()).sum(dim=-1)
    each = -(p * p.log()).sum(dim=-1).mean(dim=1)
    return total - each


def main() -> None:
    model = Ensemble()
    x = torch.randn(8, 10)
    print(disagreement(model(x)).topk(3).indices)


if __name__ == "__main__":
    main()
