"""tensor-core-size: only if enabled."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

FOUND = {
    "a vocabulary": ("nn.Linear(768, 50257)", "Linear: out_features=50257 is not a multiple of 8", "use 50264"),
    "an input": ("nn.Linear(100, 64)", "in_features=100 is not a multiple of 8", "use 104"),
    "channels": ("nn.Conv2d(64, 100, 3)", "out_channels=100 is not a multiple of 8", "use 104"),
}
QUIET = {
    "multiples": "nn.Linear(768, 50304), nn.Conv2d(64, 128, 3)",
    "small sizes": "nn.Conv2d(3, 64, 7), nn.Linear(512, 10)",
    "an unknown size": "lambda n: nn.Linear(n, 64)",
    "layers without a matrix product": "nn.BatchNorm1d(100)",
}


def findings(folder: Path, source: str, codes: list[str]) -> list[str]:
    path = folder / "program.py"
    path.write_text(f"from torch import nn\n{source}\n")
    return [one.message for one in check([path], codes=codes)]


@pytest.mark.parametrize("name", FOUND)
def test_found_if_enabled(name: str, tmp_path: Path) -> None:
    source, *parts = FOUND[name]
    (message,) = findings(tmp_path, source, ["tensor-core-size"])
    assert all(part in message for part in parts)


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, QUIET[name], ["tensor-core-size"]) == []


def test_it_is_not_reported_by_default(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("from torch import nn\nnn.Linear(768, 50257)\n")
    assert check([path]) == []
