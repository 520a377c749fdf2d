# asks: finds a result that violates a symbolic annotation
import torch
from jaxtyping import Float
from torch import Tensor


def doubled(x: Float[Tensor, "b d"]) -> Float[Tensor, "b 2*d"]:
    return torch.cat([x, x], dim=0)  # planted; right: return torch.cat([x, x], dim=1)


def main() -> None:
    print(doubled(torch.randn(3, 8)).shape)


if __name__ == "__main__":
    main()
