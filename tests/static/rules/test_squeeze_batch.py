"""squeeze-batch: a squeeze that may take the batch, where the batch is needed after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "given back by forward": (
        """
        class Net(nn.Module):
            def forward(self, x):
                b, t, c = x.shape
                return x.mean(1, keepdim=True).squeeze()  # HERE
        """,
        "squeeze() also removes the batch dimension; use squeeze(1)",
    ),
    "through an activation": (
        """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "batch 16"]):
                return torch.sigmoid(nn.Linear(16, 1)(x).squeeze())  # HERE
        """,
        "squeeze() also removes the batch dimension; use squeeze(1)",
    ),
    "of any rank, given back by forward": (
        """
        class Score(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, 1))

            def forward(self, x):
                return torch.sigmoid(self.layers(x)).squeeze()  # HERE
        """,
        "squeeze() also removes the batch dimension; use squeeze(-1)",
    ),
    "given to a layer": (
        """
        def embed(images: Float[Tensor, "b 8 h w"]):
            pooled = torch.squeeze(nn.AdaptiveAvgPool2d((1, 1))(images))  # HERE
            return nn.BatchNorm1d(8)(pooled)
        """,
        "squeeze() also removes the batch dimension; use squeeze((2, 3))",
    ),
    "a batch that is merged with time": (
        """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "b t 16"]):
                return nn.Linear(16, 1)(x.reshape(-1, 16)).squeeze()  # HERE
        """,
        "squeeze() also removes the batch dimension; use squeeze(1)",
    ),
    "given to a helper": (
        """
        def scored(rows):
            return rows.mean(1, keepdim=True).squeeze()  # HERE

        class Net(nn.Module):
            def forward(self, parts: list[Float[Tensor, "b 16"]]):
                return scored(parts[0])
        """,
        "squeeze() also removes the batch dimension; use squeeze(1)",
    ),
    "given to a loss": (
        """
        def loss(x: Float[Tensor, "b 4"], y: Float[Tensor, "b"]):
            return F.mse_loss(nn.Linear(4, 1)(x).squeeze(), y)  # HERE
        """,
        "squeeze() also removes the batch dimension; use squeeze(1)",
    ),
}

QUIET = {
    "of any rank, in a method that may receive one sample": """
        class Score(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.last = nn.Linear(width, 1)

            def of_sample(self, x):
                return self.last(x).squeeze()
        """,
    "of any rank, of a weight": """
        class Score(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.last = nn.Linear(width, 1)
                self.queries = load("queries")

            def forward(self, x):
                return self.last(self.queries).squeeze()
        """,
    "of any rank, along the last dimension": """
        class Score(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.last = nn.Linear(width, 1)

            def forward(self, x):
                return self.last(x).squeeze(-1)
        """,
    "with dim": """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "b 16"]):
                return nn.Linear(16, 1)(x).squeeze(-1)
        """,
    "no axis that is 1": """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "b t"]):
                return x.squeeze()
        """,
    "a batch that is no batch of one": """
        class Net(nn.Module):
            def forward(self, x):
                return nn.Linear(16, 1)(x).squeeze()

        Net()(torch.zeros(8, 16))
        """,
    "no batch: the known axis is the first": """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "1 n"]):
                return x.squeeze()
        """,
    "one item of the batch": """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "b c h w"]):
                return x.mean(2, keepdim=True)[0].squeeze()
        """,
    "a window as long as the input": """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "b c t"]):
                return torch.hann_window(x.shape[-1]).unsqueeze(1).squeeze()
        """,
    "a score for each channel": """
        class Net(nn.Module):
            def forward(self, x: Float[Tensor, "b c 8"], layer: nn.Module):
                b, c, _ = x.shape
                return torch.zeros(c, 8).mean(1, keepdim=True).squeeze()
        """,
    "a result that is only printed": """
        def show(x: Float[Tensor, "b 1"]):
            print(x.squeeze())
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, message = FOUND[name]
    ((line, code, text),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "squeeze-batch")
    assert text == message


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
