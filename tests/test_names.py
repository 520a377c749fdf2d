"""One name means one thing: no two public classes of the package share a name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "shapecheck"
EXCEPTIONS = {
    "Identity": "ops mirrors torch's name and timm's: nn.Identity, and third-party layers that do the same",
    "ShapeError": "public API: the error of a checked call is a subclass of the one of spec",
}


def _shared_names(package: Path) -> dict[str, list[str]]:
    """The names that several module-level public classes have, with their files."""
    files: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files[node.name].append(path)
    return {name: [str(path.relative_to(package)) for path in paths] for name, paths in files.items() if len(paths) > 1}


def test_no_two_public_classes_share_a_name() -> None:
    shared = _shared_names(PACKAGE)
    assert {name: files for name, files in shared.items() if name not in EXCEPTIONS} == {}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_an_exception_is_still_needed(name: str) -> None:
    assert name in _shared_names(PACKAGE)


def test_shared_names_are_found(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "model.py").write_text("class Plan: ...\nclass _Reader: ...\n")
    (tmp_path / "one" / "other.py").write_text("class Kind: ...\n")
    found = _shared_names(tmp_path)
    assert list(found) == ["Plan"]
    assert "one/model.py" in [file.replace("\\", "/") for file in found["Plan"]]
