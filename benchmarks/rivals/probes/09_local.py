# asks: finds a local variable that violates its annotation
import torch
from jaxtyping import Float
from torch import Tensor


def pooled(x: Float[Tensor, "b t d"]) -> Float[Tensor, "b"]:
    rows: Float[Tensor, "b d"] = x.mean(2)  # planted; right: rows: Float[Tensor, "b d"] = x.mean(1)
    return rows.sum(1)


def main() -> None:
    print(pooled(torch.randn(3, 5, 8)).shape)


if __name__ == "__main__":
    main()
