# asks: finds a call that violates an annotation
# asks: ... and names the axis | names: width
import torch
from jaxtyping import Float
from torch import Tensor


def scores(q: Float[Tensor, "batch width"], k: Float[Tensor, "batch width"]) -> Float[Tensor, "batch"]:
    return q.mean(1) * k.mean(1)


def main() -> None:
    print(scores(torch.randn(3, 8), torch.randn(3, 6)).shape)  # planted; right: print(scores(torch.randn(3, 8), torch.randn(3, 8)).shape)


if __name__ == "__main__":
    main()
