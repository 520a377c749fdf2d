"""off-default: a call that works only if a size that the user chooses is 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a pooled map that is not flattened": (
        """
        class Net(nn.Module):
            def __init__(self, dim, classes):
                super().__init__()
                self.conv = nn.Conv2d(3, dim, 3)
                self.pool = nn.AdaptiveAvgPool2d(1)
                self.fc = nn.Linear(dim, classes)

            def forward(self, x):
                return self.fc(self.pool(self.conv(x)))  # HERE
        """,
        "dim",
    ),
    "a mean that is kept": (
        """
        class Net(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.width = width
                self.first, self.last = nn.Linear(4, width), nn.Linear(width, 2)

            def forward(self, x):
                return self.last(self.first(x).mean(-1, keepdim=True))  # HERE
        """,
        "width",
    ),
}

CHOICE = """
class Net(nn.Module):
    def __init__(self, out: int):
        super().__init__()
        self.out = out
        self.fc = nn.Linear(8, out)
        self.is_binary = out == 1

    def forward(self, x, y: Tensor):
        z = self.fc(x)
        if {}:
            return F.binary_cross_entropy_with_logits(z, y.view(-1, 1).float())
        return F.cross_entropy(z, y)
"""

QUIET = {
    "flattened": FOUND["a pooled map that is not flattened"][0].replace(
        "self.pool(self.conv(x))", "self.conv(x).mean((2, 3))"
    ),
    "a condition about the size": CHOICE.format("self.out == 1"),
    "a condition that was stored": CHOICE.format("self.is_binary"),
    "a dimension of the input": """
        class Net(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.conv = nn.Conv1d(1, width, 3, padding=1)

            def forward(self, x):
                b, c, t = x.shape
                return self.conv(x)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, size = FOUND[name]
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert message.endswith(f"(works only for {size}=1)")


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_quiet(source: str, tmp_path: Path) -> None:
    assert reported(tmp_path, source) == []
