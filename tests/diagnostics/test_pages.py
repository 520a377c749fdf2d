"""The pages of `shapecheck check` say what it does: their bad code is reported, their good code is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from shapecheck.diagnostics import CHECKS, DEFAULT_CHECKS, REVEALED

DOCS = Path(__file__).parents[2] / "docs"
PREAMBLE = """\
import torch
from torch import Tensor, nn
import torch.nn.functional as F

a, b = torch.zeros(2, 2), torch.zeros(2, 2)
"""
PLACE_AND_CODE = re.compile(r"^example\.py:(\d+):\d+: \w+: .* \[([\w-]+)\]$", re.MULTILINE)


def reported(code: str, asked: str) -> list[tuple[int, str]]:
    """The lines and codes that are reported of a text, by default or of the code that is asked for."""
    Path("example.py").write_text(PREAMBLE + code)
    arguments = ["check", "--quiet", "--select", ",".join({*DEFAULT_CHECKS, asked}), "."]
    found = PLACE_AND_CODE.findall(CliRunner().invoke(main, arguments).stdout)
    return [(int(line) - PREAMBLE.count("\n"), name) for line, name in found]


def example(code: str, heading: str) -> str:
    page = (DOCS / "codes" / f"{code}.md").read_text(encoding="utf-8")
    block = re.search(rf"^## {heading}\n\n```python\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert block, f"{code}.md shows {heading} code first under its heading"
    return block[1]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED])
def test_bad_code_is_reported_under_its_code_alone(code: str) -> None:
    assert {name for _, name in reported(example(code, "Bad"), code)} == {code}


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED])
def test_good_code_is_not_reported(code: str) -> None:
    assert reported(example(code, "Good"), code) == []


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED])
def test_the_line_to_silence_is_one_that_is_reported(code: str) -> None:
    (line,) = re.findall(
        rf"^(.*?)  # shapecheck: ignore\[(?:[\w-]+, )*{code}\]$", example(code, "How to silence\n\nOn the line:"), re.M
    )
    bad = example(code, "Bad").splitlines()
    number = next(number for number, text in enumerate(bad, 1) if text.split("  # ")[0].strip() == line)
    assert (number, code) in reported("\n".join(bad), code)
    bad[number - 1] += f"  # shapecheck: ignore[{code}]"
    assert (number, code) not in reported("\n".join(bad), code)
