# asks: finds a wrong size that depends on values
import torch
from jaxtyping import Float
from torch import Tensor


def kept(x: Float[Tensor, "n d"]) -> Float[Tensor, "4 d"]:
    return x[x[:, 0] > 2]  # planted; right: return x[x[:, 0] > 1]


def main() -> None:
    print(kept(torch.arange(12.0).view(6, 2) / 2).shape)


if __name__ == "__main__":
    main()
