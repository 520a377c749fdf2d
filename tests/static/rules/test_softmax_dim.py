"""softmax-dim: the functions where they are called, the layers where they are built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a function, of a tensor of known rank": (
        "F.softmax(torch.zeros(2, 3, 4))  # HERE",
        "torch guesses axis 0 of (2, 3, 4); write dim=0, or dim=-1 where the last one is meant",
    ),
    "of a matrix torch guesses the last axis": (
        "F.softmax(torch.zeros(2, 3))  # HERE",
        "torch guesses axis 1 of (2, 3); write dim=-1",
    ),
    "of unknown rank": (
        """
        def attend(scores):
            return F.log_softmax(scores)  # HERE
        """,
        "torch guesses axis 0 of one or three axes, else axis 1",
    ),
    "None, said aloud": ("F.softmin(torch.zeros(2, 3), dim=None)  # HERE", "softmin without dim"),
    "a layer, where it is built": ("nn.Sequential(nn.Linear(3, 2), nn.Softmax())  # HERE", "Softmax without dim"),
    "a class of the project that is one": (
        """
        class Probabilities(nn.LogSoftmax):
            def __init__(self):
                super().__init__()  # HERE

        Probabilities()(torch.zeros(2, 3))
        """,
        "LogSoftmax without dim",
    ),
}

QUIET = {
    "dim by place": "F.softmax(torch.zeros(2, 3), -1)",
    "dim by name": "F.log_softmax(torch.zeros(2, 3), dim=1)",
    "the method": "torch.zeros(2, 3).softmax(-1)",
    "the layers": "nn.Softmax(dim=1)(torch.zeros(2, 3)), nn.LogSoftmax(-1)(torch.zeros(2, 3))",
    "a layer whose class sets it": """
        class Probabilities(nn.Softmax):
            def __init__(self, dim=None):
                super().__init__()
                self.dim = -1 if dim is None else dim

        Probabilities()(torch.zeros(2, 3))
        """,
    "a dim that nobody knows": """
        def attend(scores, axis=None):
            return F.softmax(scores, axis)
        """,
    "others have an axis of their own": "nn.Softmax2d()(torch.zeros(2, 3, 4, 4)), F.gumbel_softmax(torch.zeros(2, 3))",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, message = FOUND[name]
    ((line, code, text),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "softmax-dim")
    assert message in text


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
