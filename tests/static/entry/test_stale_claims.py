"""stale-docstring: claims that certainly differ from the code, only if the code is enabled."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.static import check
from tests.static.entry.test_claims import net, program

STALE = {
    "a rank that the code excludes": (
        net("x: Tensor", "x: (B, H, T, D)", "return torch.bmm(x, x)"),
        "docstring claims (B, H, T, D) for x; the code requires (d0, d1, d1)",
    ),
    "a fixed size": (
        net("x: Tensor", "x: (B, T, 64)", "return self.fc(x), x.permute(0, 2, 1)"),
        "docstring claims (B, T, 64) for x; the code requires (B, T, 16)",
    ),
    "several ranks": (
        net("x: Tensor", "x: (B, T) or (T,)", "return torch.bmm(x, x)"),
        "docstring claims (B, T) or (T,) for x; the code requires (d0, d1, d1)",
    ),
    "the result": (
        net("x: Tensor", "Returns:\n            (B, T, D)\n        ", "return torch.bmm(x, x).mean(1)"),
        "docstring claims (B, T, D) for the result; the code returns (d0, d1)",
    ),
    "a comment": (
        net("x: Tensor", "", "y = torch.bmm(x, x).mean(1)  # (B, T, D)\nreturn y"),
        "comment claims (B, T, D) for y; the code computes (d0, d1)",
    ),
}
FRESH = {
    "the same rank": net("x: Tensor", "x: (B, T, D)", "return torch.bmm(x, x)"),
    "one of several": net("x: Tensor", "x: (B, T) or (B, T, D)", "return torch.bmm(x, x)"),
    "an optional batch dimension": net("x: Tensor", "x: (C, H, W)", "return self.conv(x)"),
    "any number of dimensions": net("x: Tensor", "x: (*, T, D)", "return torch.bmm(x, x)"),
    "an unknown rank": net("x: Tensor", "x: (B, T, D)", "return x * 2"),
    "another name of a size": net("x: Tensor", "x: (B, T, D)", "x.permute(0, 2, 1)\nreturn self.fc(x)  # d is 16"),
    "a size that a default selects": net("x: Tensor", "x: (B, 4)", "return self.fc(x)")
    .replace("self)", "self, n=16)")
    .replace("Linear(16", "Linear(n"),
    "one of two branches": net(
        "x: Tensor, flat: bool",
        "",
        "for one in x:\n    y = one.mean(0) if flat else one  # (T, D)\n    y = y  # (D, T)",
    ),
}


@pytest.mark.parametrize("name", STALE)
def test_stale(name: str, tmp_path: Path) -> None:
    source, expected = STALE[name]
    (found,) = check([program(tmp_path, source)], codes=["stale-docstring"])
    assert (found.code, found.severity, found.message) == ("stale-docstring", Severity.NOTE, expected)
    line = (tmp_path / "program.py").read_text().splitlines()[found.line - 1]
    assert line[found.column - 1 : found.end_column - 1].startswith("(")


@pytest.mark.parametrize("name", FRESH)
def test_fresh(name: str, tmp_path: Path) -> None:
    assert check([program(tmp_path, FRESH[name])], codes=["stale-docstring"]) == []


@pytest.mark.parametrize("name", STALE)
def test_it_is_not_reported_by_default(name: str, tmp_path: Path) -> None:
    assert check([program(tmp_path, STALE[name][0])]) == []
