# asks: finds the one item of a list that violates its annotation
import torch
from jaxtyping import Float
from torch import Tensor


def total(parts: list[Float[Tensor, "b d"]]) -> Float[Tensor, "b"]:
    return torch.stack([part.sum(-1) for part in parts]).sum(0)


def main() -> None:
    parts = [torch.randn(3, 8) for _ in range(20)]
    parts[17] = torch.randn(3, 9)  # planted; right: parts[17] = torch.randn(3, 8)
    print(total(parts).shape)


if __name__ == "__main__":
    main()
