# asks: finds a dtype that violates an annotation
import torch
from jaxtyping import Float, Int
from torch import Tensor


def counts(ids: Int[Tensor, "b t"]) -> Float[Tensor, "b"]:
    return (ids > 3).float().sum(1)


def main() -> None:
    print(counts(torch.zeros(3, 5)).shape)  # planted; right: print(counts(torch.zeros(3, 5, dtype=torch.long)).shape)


if __name__ == "__main__":
    main()
