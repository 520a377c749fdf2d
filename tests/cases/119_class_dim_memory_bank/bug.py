import torch
from jaxtyping import Float
from torch import Tensor, nn


class MemoryBank(nn.Module):
    slots: int = 48
    dim: int = 16

    def __init__(self) -> None:
        super().__init__()
        self.keys = nn.Parameter(torch.randn(self.slots, self.dim))
        self.values = nn.Parameter(torch.randn(self.slots, self.dim))
        self.norm = nn.LayerNorm(self.slots)

    def forward(self, q: Float[Tensor, "b {self.dim}"]) -> Float[Tensor, "b {self.dim}"]:
        weights = (q @ self.keys.T / self.dim**0.5).softmax(dim=-1)
        return self.norm(q + weights @ self.values)


class Recommender(nn.Module):
    def __init__(self, users: int = 50, items: int = 70):
        super().__init__()
        self.user = nn.Embedding(users, MemoryBank.dim)
        self.item = nn.Embedding(items, MemoryBank.dim)
        self.memory = MemoryBank()

    def forward(self, user, item) -> Float[Tensor, " b"]:
        u = self.memory(self.user(user))
        return (u * self.item(item)).sum(dim=-1)


def main() -> None:
    user, item = torch.randint(0, 50, (8,)), torch.randint(0, 70, (8,))
    model = Recommender()
    loss = -nn.functional.logsigmoid(model(user, item) - model(user, item.flip(0))).mean()
    print(loss.item())


if __name__ == "__main__":
    main()
