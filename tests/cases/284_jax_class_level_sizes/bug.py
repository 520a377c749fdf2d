import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


class MemoryBank(nn.Module):
    def __init__(self, slots: int = 12, dim: int = 8):
        super().__init__()
        self.slots, self.dim = slots, dim
        self.register_buffer("keys", torch.randn(slots, dim))
        self.register_buffer("age", torch.zeros(slots))

    @jaxtyped(typechecker=beartype)
    def read(self, q: Float[Tensor, "n {self.dim}"]) -> Float[Tensor, "n {self.slots}"]:
        return (q @ self.keys.T).softmax(-1)

    @jaxtyped(typechecker=beartype)
    def write(self, x: Float[Tensor, "n {self.dim}"], at: Float[Tensor, "n {self.slots}"]) -> None:
        new = at.T @ x
        self.keys = 0.9 * self.keys + 0.1 * new
        self.age = (self.age + 1) * (1 - at.amax(dim=0))


class Agent(nn.Module):
    def __init__(self, obs: int = 5, dim: int = 8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(obs, dim), nn.Tanh())
        self.memory = MemoryBank(12, dim)
        self.pi = nn.Linear(dim + 12, 3)

    def forward(self, x: Float[Tensor, "n obs"]) -> Float[Tensor, "n act"]:
        h = self.enc(x)
        w = self.memory.read(h)
        self.memory.write(x, w.detach())
        return self.pi(torch.cat([h, w], dim=-1))


def main() -> None:
    agent = Agent()
    for _ in range(2):
        print(agent(torch.randn(4, 5)).shape)


if __name__ == "__main__":
    main()
