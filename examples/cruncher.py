"""A linear net that says its shapes in asserts."""

import torch
from torch import Tensor, nn


class Cruncher(nn.Module):
    """Scores each row of features with two linear layers."""

    def __init__(self, features: int = 16, hidden: int = 32) -> None:
        super().__init__()
        self.features = features
        self.inner = nn.Linear(features, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(self, x: Tensor, scale: Tensor | None = None) -> Tensor:
        """One score per row, times `scale` where it is given."""
        assert x.ndim == 2
        assert x.shape[1] == self.features
        hidden: Tensor = torch.relu(self.inner(x))
        score: Tensor = self.outer(hidden)
        assert score.shape == (x.shape[0], 1)
        if scale is not None:
            assert scale.shape == score.shape
            score = score * scale
        return score.squeeze(1)


def main() -> None:
    """Score a small batch."""
    model = Cruncher()
    score = model(torch.randn(5, 16), scale=torch.rand(5, 1))
    print(tuple(score.shape))  # noqa: T201


if __name__ == "__main__":
    main()
