"""What `shapecheck annotate` checks again after a change of annotations."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

import pytest

from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.verifying import Verifier
from shapecheck.project.outcomes import FileOutcome
from shapecheck.static.entry.checker import Checker

LAYER = """from jaxtyping import Float
from torch import Tensor, nn


class Layer(nn.Module):
    def forward(self, x{annotation}):
        return x
"""
ANNOTATED = LAYER.format(annotation=': Float[Tensor, "b t"]')
NET = """import torch
from layer import Layer

layer = Layer()
layer(torch.rand(2, 3, 4))
"""
OTHER = "import torch\n\ntorch.rand(2, 3) @ torch.rand(2, 3)\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    texts = {"layer.py": LAYER.format(annotation=""), "net.py": NET, "other.py": OTHER}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in texts]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are checked."""
    names: list[str] = []
    outcome = Checker.outcome

    def noted(self: Checker, path: Path, asked: Container[str]) -> FileOutcome:
        names.append(path.name)
        return outcome(self, path, asked)

    monkeypatch.setattr(Checker, "outcome", noted)
    return names


def test_only_files_that_a_change_can_affect_are_checked_again(files: list[Path], checked: list[str]) -> None:
    verifier = Verifier(Surroundings([files[0].parent]))
    before = verifier.findings(files, {})
    assert [(one.path, one.code) for one in before] == [("other.py", "shape-mismatch")]
    assert checked == ["layer.py", "net.py", "other.py"]
    del checked[:]
    after = verifier.findings(files, {files[0]: ANNOTATED.encode()})
    assert checked == ["layer.py", "net.py"]
    assert sorted((one.path, one.code) for one in after) == [
        ("net.py", "shape-mismatch"),
        ("other.py", "shape-mismatch"),
    ]


def test_the_same_content_is_not_checked_again(files: list[Path], checked: list[str]) -> None:
    verifier = Verifier(Surroundings([files[0].parent]))
    annotated = {files[0]: ANNOTATED.encode()}
    found = verifier.findings(files, annotated)
    del checked[:]
    assert verifier.findings(files, annotated) == found
    assert not checked


def test_the_content_on_disk_is_checked_again_where_it_is_no_longer_replaced(
    files: list[Path], checked: list[str]
) -> None:
    verifier = Verifier(Surroundings([files[0].parent]))
    assert len(verifier.findings(files, {files[0]: ANNOTATED.encode()})) == 2
    del checked[:]
    assert len(verifier.findings(files, {})) == 1
    assert checked == ["layer.py", "net.py"]
