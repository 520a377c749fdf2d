"""The stubs kept in stubs/ are what the command makes for the torch they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.stubs import StubsError, find_torch, make_package

COMMITTED = Path(__file__).parents[2] / "stubs" / "torch-stubs"


def test_the_committed_stubs_are_current() -> None:
    try:
        torch = find_torch()
    except StubsError:
        pytest.skip("torch is not installed")
    if not torch.version.startswith("2.13."):
        pytest.skip(f"torch {torch.version} is installed and the committed stub is for 2.13")
    made = {
        str(name): text for name, text in make_package(torch).files.items() if "a copy of torch's own" not in text[:200]
    }
    kept = {path.relative_to(COMMITTED).as_posix(): path.read_text() for path in COMMITTED.rglob("*") if path.is_file()}
    ours = ("modules/module", "modules/container", "modules/pooling", "parallel/distributed")
    assert set(kept) == {"py.typed", *(f"nn/{name}.pyi" for name in ours)}
    assert kept == made
