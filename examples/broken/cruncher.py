"""`examples/cruncher.py` with an error: `squeeze` also removes a batch dimension of size 1."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Cruncher(nn.Module):
    """Scores each row of features with two linear layers."""

    def __init__(self, features: int = 16, hidden: int = 32) -> None:
        super().__init__()
        self.features = features
        self.inner = nn.Linear(features, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(
        self, x: Float[Tensor, "b {self.features}"], scale: Float[Tensor, "b 1"] | None = None
    ) -> Float[Tensor, "b"]:
        """One score per row, times `scale` if it is given."""
        assert x.ndim == 2
        assert x.shape[1] == self.features
        centred = x - x.mean(1, keepdim=True)
        hidden: Float[Tensor, "b hidden"] = torch.relu(self.inner(centred))
        score: Float[Tensor, "b 1"] = self.outer(hidden)
        assert score.shape == (x.shape[0], 1)
        if scale is not None:
            assert scale.shape == score.shape
            score = score * scale
        return score.squeeze()  # planted: squeeze-batch


def squared_error(score: Float[Tensor, "b"], target: Float[Tensor, "b"]) -> Float[Tensor, ""]:
    """The mean over the batch."""
    return (score - target).square().mean()


def main() -> None:
    """Score a small batch and backpropagate."""
    model = Cruncher()
    score = model(torch.randn(5, 16), scale=torch.rand(5, 1))
    torch.autograd.backward(squared_error(score, torch.rand(5)))
    print(tuple(score.shape))


if __name__ == "__main__":
    main()
