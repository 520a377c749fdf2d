# asks: works under torch.compile(fullgraph=True)
import torch
from jaxtyping import Float
from torch import Tensor


def rows(x: Float[Tensor, "b d"], y: Float[Tensor, "b d"]) -> Float[Tensor, "b"]:
    return x.mean(1) * y.mean(1)


def main() -> None:
    quick = torch.compile(rows, backend="eager", fullgraph=True)
    print(quick(torch.randn(3, 8), torch.randn(3, 6)).shape)  # planted; right: print(quick(torch.randn(3, 8), torch.randn(3, 8)).shape)


if __name__ == "__main__":
    main()
