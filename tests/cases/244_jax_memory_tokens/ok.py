import torch
from jaxtyping import Float
from torch import Tensor, nn


class Memory(nn.Module):
    def __init__(self, slots: int, dim: int) -> None:
        super().__init__()
        self.slots = nn.Parameter(torch.randn(slots, dim) * 0.02)

    def prepend(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t2 d"]:
        mem = self.slots.expand(x.shape[0], -1, -1)
        return torch.cat([mem, x], dim=1)

    def split(self, y: Float[Tensor, "b t2 d"]) -> tuple[Float[Tensor, "b m d"], Float[Tensor, "b t d"]]:
        n = self.slots.shape[0]
        return y[:, :n], y[:, n:]


class MemoryTransformer(nn.Module):
    def __init__(self, dim: int = 16, slots: int = 4, depth: int = 2) -> None:
        super().__init__()
        self.memory = Memory(slots, dim)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, 2, 32, dropout=0.0, batch_first=True) for _ in range(depth)
        )

    def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        y = self.memory.prepend(x)
        for layer in self.layers:
            y = layer(y)
        mem, out = self.memory.split(y)
        return out + mem.mean(dim=1, keepdim=True)


def main() -> None:
    print(MemoryTransformer()(torch.randn(3, 5, 16)).shape)


if __name__ == "__main__":
    main()
