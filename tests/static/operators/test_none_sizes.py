"""off-default and wrong-call: None as a size or in arithmetic, where the function handles None elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

LAYER = """
class Net(nn.Module):
    def __init__(self, dim, count, width=None, uses: bool = False):
        super().__init__()
        {}
"""

FOUND = {
    "a size of a layer": "self.width = width or dim if width else dim; self.fc = nn.Linear(width, 10)  # HERE",
    "an output size": "self.a = 1 if width is None else 2; self.fc = nn.Linear(dim, width)  # HERE",
    "by name": "self.width = width if width else dim; self.fc = nn.Linear(dim, out_features=width)  # HERE",
    "a product": "self.width = width if width else dim; self.fc = nn.Linear(dim, count * width)  # HERE",
    "a negated test": "self.width = dim if not width else width; self.fc = nn.Conv2d(width, 4, 3)  # HERE",
}

QUIET = {
    "no test": "self.fc = nn.Linear(width, 10); self.twice = 2 * width",
    "replaced": "width = width or dim; self.fc = nn.Linear(width, 10)",
    "replaced in a branch": "width = dim if width is None else width; self.fc = nn.Linear(width, 10)",
    "refused by an assert": "assert width is not None; self.a = 1 if width else 2; self.fc = nn.Linear(width, 10)",
    "only if it is given": "self.fc = nn.Linear(width, 10) if width else nn.Identity()",
    "only if an option is set": "self.a = 1 if width else 2; self.fc = nn.Linear(width, 10) if uses else None",
}


@pytest.mark.parametrize("statements", FOUND.values(), ids=FOUND)
def test_found(statements: str, tmp_path: Path) -> None:
    source = LAYER.format(statements.replace("; ", "\n        "))
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert "got None" in message
    assert message.endswith("(fails whenever width=None)")


@pytest.mark.parametrize("statements", QUIET.values(), ids=QUIET)
def test_quiet(statements: str, tmp_path: Path) -> None:
    assert reported(tmp_path, LAYER.format(statements.replace("; ", "\n        "))) == []


def test_a_branch_that_raises(tmp_path: Path) -> None:
    statements = "if width is None:\n            raise ValueError\n        self.fc = nn.Linear(width, 10)"
    assert reported(tmp_path, LAYER.format(statements)) == []


RATIO = """
class Head(nn.Module):
    def __init__(self, dim, ratio=4):
        super().__init__()
        hidden = int(ratio * dim) if ratio is not None else None
        self.pre = nn.Linear(dim, hidden) if hidden else nn.Identity()
        self.fc = nn.Linear({}, 10)  # HERE
"""


def test_a_variable_that_is_none_for_another_argument(tmp_path: Path) -> None:
    source = RATIO.format("hidden")
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert message == "expected in_features to be an int, got None (fails whenever ratio=None)"


def test_a_variable_with_a_fallback(tmp_path: Path) -> None:
    assert reported(tmp_path, RATIO.format("hidden or dim")) == []


def test_a_constructor_without_required_arguments(tmp_path: Path) -> None:
    source = """
    class Net(nn.Module):
        def __init__(self, dim=64, width=None):
            super().__init__()
            self.width = width if width else dim
            self.fc = nn.Linear(width, 10)  # HERE
    """
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code, message) == (place(source), "wrong-call", "expected in_features to be an int, got None")
