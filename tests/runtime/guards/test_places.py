"""Which files belong to the program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from shapecheck.runtime.guards import places


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A library that only passes tensors on."""
    module = ModuleType("passing")
    module.__file__ = str(tmp_path / "passing" / "__init__.py")
    monkeypatch.setitem(sys.modules, "passing", module)
    monkeypatch.setattr(places, "_LIBRARIES", ["torch", "passing"])
    _forget()
    yield str(tmp_path / "passing" / "ops.py")
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    places._folders.cache_clear()
    places.is_of_program.cache_clear()


def test_a_library_is_not_the_program(library: str) -> None:
    assert not places.is_of_program(library)
    assert places.is_of_program(__file__)


def test_a_library_whose_models_are_examined_is_the_program(library: str) -> None:
    places.count_as_program("passing")
    assert places.is_of_program(library)


def test_other_libraries_stay_as_they_are(library: str) -> None:
    places.count_as_program("timm")
    assert not places.is_of_program(library)


def test_what_calls_the_program_is_never_a_part_of_it(library: str) -> None:
    places.count_as_program("torch")
    assert "torch" in places._LIBRARIES
