from typing import Optional

import torch
from beartype import beartype
from jaxtyping import Bool, Float, Int, jaxtyped
from torch import Tensor, nn


def keep_mask(lengths: Int[Tensor, " b"], t: int) -> Bool[Tensor, "b t"]:
    return torch.arange(t) < lengths[:, None]


class Pool(nn.Module):
    def __init__(self, dim: int = 16):
        super().__init__()
        self.score = nn.Linear(dim, 1)

    @jaxtyped(typechecker=beartype)
    def forward(
        self, x: Float[Tensor, "b t dim"], keep: Optional[Bool[Tensor, "b t"]] = None
    ) -> Float[Tensor, "b dim"]:
        s = self.score(x)[..., 0]
        if keep is not None:
            s = s.masked_fill(~keep, float("-inf"))
        return (s.softmax(dim=-1)[..., None] * x).sum(dim=1)


def main() -> None:
    x, lengths = torch.randn(3, 7, 16), torch.tensor([7, 2, 5])
    pool = Pool()
    a = pool(x)
    b = pool(x, keep_mask(lengths, x.shape[1]))
    print(nn.functional.cosine_similarity(a, b))


if __name__ == "__main__":
    main()
