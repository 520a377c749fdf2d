"""Off the defaults: a parameter whose default is None is a string that the called code compares it with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

ACTIVATION = """
class Activation(nn.Module):
    def __init__(self, name, **options):
        super().__init__()
        if name is None:
            self.activation = nn.Identity(**options)
        elif name == "softmax":
            self.activation = nn.Softmax(**options)  # HERE
        elif name == "wide":
            self.activation = nn.Linear(3, 4)
        else:
            raise ValueError(name)

    def forward(self, x):
        return self.activation(x)
"""

HEADS = {
    "by position": """
class Head(nn.Sequential):
    def __init__(self, classes, activation=None):
        super().__init__(nn.Conv2d(8, classes, 3), Activation(activation))
""",
    "by name": """
class Head(nn.Module):
    def __init__(self, classes, activation=None):
        super().__init__()
        self.fc = nn.Linear(8, classes)
        self.activation = Activation(name=activation)

    def forward(self, x):
        return self.activation(self.fc(x))
""",
}

QUIET = {
    "a caller that passes the dimension": """
class Head(nn.Sequential):
    def __init__(self, classes, activation=None):
        super().__init__(nn.Conv2d(8, classes, 3), Activation(activation, dim=1))
""",
    "no caller": "",
    "what fails with another string, and may need other arguments": """
class Head(nn.Sequential):
    def __init__(self, activation=None):
        super().__init__(nn.Linear(8, 16), Activation(activation, dim=1), nn.Linear(16, 2))
""",
}


@pytest.mark.parametrize("name", HEADS)
def test_found(name: str, tmp_path: Path) -> None:
    source = ACTIVATION + HEADS[name]
    ((line, code, text),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "softmax-dim")
    assert text.startswith("Softmax without dim")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, ACTIVATION + QUIET[name]) == []
