"""The stub kept in stubs/ is what the command makes for the torch it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.stubs import StubsError, find_torch, make_package

COMMITTED = Path(__file__).parents[2] / "stubs" / "torch-stubs"


def test_the_committed_stub_is_current() -> None:
    try:
        torch = find_torch()
    except StubsError:
        pytest.skip("torch is not installed")
    if not torch.version.startswith("2.13."):
        pytest.skip(f"torch {torch.version} is installed and the committed stub is for 2.13")
    made = make_package(torch).files
    kept = {path.relative_to(COMMITTED).as_posix(): path.read_text() for path in COMMITTED.rglob("*") if path.is_file()}
    assert set(kept) == {"py.typed", "nn/modules/module.pyi"}
    assert kept == {str(name): text for name, text in made.items() if str(name) in kept}
