"""Python that turns a size into a constant of the graph."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Sequence(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b dim"]:
        y = self.fc(x)
        total = y.sum(1)
        # mutant loop_over_positions: total = sum(y[:, index] for index in range(y.shape[1]))
        # mutant unbind: total = torch.stack(y.unbind(1)).sum(0)
        # mutant iteration_over_rows: total = torch.stack([row.sum(0) for row in y])
        # mutant split: total = torch.cat(y.split(1, 1), 1).sum(1)
        # mutant list_of_length: total = torch.stack([y[:, 0]] * y.shape[1]).sum(0)
        # mutant size_as_int: total = y.sum(1) + torch.zeros(int(y.shape[1])).sum()
        # mutant chunks: total = torch.stack(y.chunk(y.shape[1], 1)).sum((0, 2))
        # mutant list_of_sizes: total = y.sum(1) * sum(list(range(y.shape[1])))
        return total
