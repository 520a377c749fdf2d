# asks: checks a PyTree of arrays
import torch
from jaxtyping import Float, PyTree
from torch import Tensor


def total(tree: PyTree[Float[Tensor, "b d"]]) -> Float[Tensor, "b"]:
    return tree["a"].sum(1) + tree["b"][0].sum(1)


def main() -> None:
    print(total({"a": torch.zeros(3, 4), "b": [torch.zeros(3, 5)]}).shape)  # planted; right: print(total({"a": torch.zeros(3, 4), "b": [torch.zeros(3, 4)]}).shape)


if __name__ == "__main__":
    main()
