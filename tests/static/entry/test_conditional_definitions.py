"""Classes and functions that a module defines under a condition, or in `try`, are entry points as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

_HEAD = """
import importlib.util

def is_installed(name): return importlib.util.find_spec(name) is not None
"""

REPORTED = {
    "in one branch": """
if is_installed("json"):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 8)

        def forward(self, x: torch.Tensor):
            return self.fc(x.view(2, 5))
""",
    "in both branches": """
if is_installed("json"):
    def project(x: torch.Tensor): return nn.Linear(4, 8)(x.view(2, 5))
else:
    def project(x: torch.Tensor): return x
""",
    "in try": """
try:
    from accelerated import project
except ImportError:
    def project(x: torch.Tensor): return nn.Linear(4, 8)(x.view(2, 5))
""",
    "in a loop": """
for _ in range(is_installed("json")):
    def project(x: torch.Tensor): return nn.Linear(4, 8)(x.view(2, 5))
""",
}

SILENT = {
    "a branch that is never taken": """
if False:
    def project(x: torch.Tensor): return nn.Linear(4, 8)(x.view(2, 5))
""",
    "a name that another branch binds to something else": """
if is_installed("json"):
    WIDTH = 5
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(WIDTH, 8)

        def forward(self, x: torch.Tensor):
            return self.fc(x.view(2, WIDTH))
else:
    WIDTH = 4
Net()(torch.rand(2, 5))
""",
    "a base that only one branch imports": """
if is_installed("nowhere"):
    from nowhere import Base
else:
    class Base(nn.Module):
        def __init__(self, width=4):
            super().__init__()
            self.fc = nn.Linear(width, 8)

if is_installed("json"):
    class Net(Base):
        def __init__(self):
            super().__init__(5)

        def forward(self, x: torch.Tensor):
            return self.fc(x.view(2, 5))
    Net()(torch.rand(2, 5))
""",
}


@pytest.mark.parametrize("name", REPORTED)
def test_a_definition_under_a_condition_is_analyzed(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, _HEAD + REPORTED[name]) == [
        "Linear: expected the last dimension of the input to be 4, got 5 (weight of shape (8, 4)) [shape-mismatch]"
    ]


@pytest.mark.parametrize("name", SILENT)
def test_what_depends_on_the_condition_is_not_reported(name: str, tmp_path: Path) -> None:
    execute(_HEAD + SILENT[name])
    assert findings(tmp_path, _HEAD + SILENT[name]) == []
