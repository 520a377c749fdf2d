"""Fixtures of pytest that replace what the project defines: tests do not run what was there before."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from shapecheck.static import check
from tests.static.programs import HEAD

LIBRARY = """
import torch
from torch import nn


class Quantizer(nn.Module):
    def forward(self, x):
        return x, torch.zeros(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.quantizer = Quantizer()

    def forward(self, x):
        return self.quantizer(x)
"""
FIXTURE = """
@pytest.fixture{options}
def replaced(monkeypatch):
    class Fake(nn.Module):
        def forward(self, x):
            return x, torch.tensor(0.5)

    monkeypatch.setattr(library, "{name}", Fake)
    yield
"""
IMPORTS = "import pytest\nimport library\n" + HEAD
TEST = """
def {name}:
    _, loss = library.Model()(torch.zeros(2, 8))
    assert loss.shape == ()
"""
METHODS = """
class TestModel:
    @pytest.fixture(autouse=True)
    def replaced(self, monkeypatch):
        monkeypatch.setattr(library, "Quantizer", None)

    def test_loss(self):
        _, loss = library.Model()(torch.zeros(2, 8))
        assert loss.shape == ()
"""
AUTOMATIC = FIXTURE.format(options="(autouse=True)", name="Quantizer")
NAMED = FIXTURE.format(options="", name="Quantizer")

REPLACED = {
    "a fixture of all tests": ("", AUTOMATIC + TEST.format(name="test_loss()")),
    "a fixture of all tests in conftest.py": (AUTOMATIC, TEST.format(name="test_loss()")),
    "a fixture that the test takes": ("", NAMED + TEST.format(name="test_loss(replaced)")),
    "a fixture in conftest.py that the test takes": (NAMED, TEST.format(name="test_loss(replaced)")),
    "a fixture of the class": ("", METHODS),
}
KEPT = {
    "a fixture that the test does not take": ("", NAMED + TEST.format(name="test_loss()")),
    "a fixture that replaces something else": (
        "",
        FIXTURE.format(options="(autouse=True)", name="Other") + TEST.format(name="test_loss()"),
    ),
    "a function that is not a test": ("", AUTOMATIC + TEST.format(name="loss()")),
}


def found(folder: Path, conftest: str, tests: str) -> list[str]:
    """The codes that are found in the tests."""
    (folder / "library.py").write_text(LIBRARY)
    (folder / "conftest.py").write_text(IMPORTS + dedent(conftest))
    path = folder / "test_library.py"
    path.write_text(IMPORTS + dedent(tests))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("case", REPLACED)
def test_what_a_fixture_replaces_is_unknown(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, *REPLACED[case]) == []


@pytest.mark.parametrize("case", KEPT)
def test_everything_else_is_known(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, *KEPT[case]) == ["false-assert"]
