import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def hits(
    scores: Float[Tensor, "queries items"], truth: Int[Tensor, " queries"], ks: tuple[int, ...] = (1, 5)
) -> list[float]:
    order = scores.topk(max(ks), dim=1).indices.t()
    correct = order.eq(truth.unsqueeze(0))
    out = []
    for k in ks:
        found = correct[:k].view(-1).float().sum()
        out.append(found.item() / truth.shape[0])
    return out


class TwoTower(nn.Module):
    def __init__(self, users: int = 30, items: int = 80, dim: int = 16):
        super().__init__()
        self.users, self.items = nn.Embedding(users, dim), nn.Embedding(items, dim)

    def forward(self, user: Int[Tensor, " queries"]) -> Float[Tensor, "queries items"]:
        return self.users(user) @ self.items.weight.T


def main() -> None:
    model = TwoTower()
    user = torch.randint(0, 30, (12,))
    print(hits(model(user), torch.randint(0, 80, (12,))))


if __name__ == "__main__":
    main()
