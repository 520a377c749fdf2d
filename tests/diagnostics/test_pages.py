"""The pages of `shapecheck check` and of guards match what these do.

Their bad code is reported with the message that the page shows, and their good code is not.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import shapecheck
from shapecheck.cli import main
from shapecheck.diagnostics import CHECKS, DEFAULT_CHECKS, GUARDS, REVEALED

DOCS = Path(__file__).parents[2] / "docs"
PREAMBLE = """\
import torch
from torch import Tensor, nn
import torch.nn.functional as F

a, b = torch.zeros(2, 2), torch.zeros(2, 2)
"""
OF_GUARDS = [code for code in GUARDS if code not in CHECKS]
OTHERS = {"untyped-call": ["fix", "--check"], "syntax-error": ["check"]}
"""Codes that `shapecheck check` cannot select, with the command that reports them."""
FINDING = re.compile(r"^example\.py:(\d+):\d+: \w+: (.*) \[([\w-]+)\]$", re.MULTILINE)


def findings(source: str, code: str) -> list[tuple[int, str, str]]:
    """The line, message and code of each finding in a source, by default or with the code selected."""
    Path("example.py").write_text(PREAMBLE + source)
    check = ["check", "--select", ",".join({*DEFAULT_CHECKS, code} - {*OTHERS})]
    found = FINDING.findall(CliRunner().invoke(main, [*OTHERS.get(code, check), "--quiet", "."]).stdout)
    return [(int(line) - PREAMBLE.count("\n"), message, name) for line, message, name in found]


def reported(source: str, code: str) -> list[tuple[int, str]]:
    """The lines and codes of the findings."""
    return [(line, name) for line, _, name in findings(source, code)]


def messages(source: str, code: str) -> list[str]:
    """The messages of the findings."""
    return [message for _, message, _ in findings(source, code)]


def guarded(source: str, code: str) -> list[str]:
    """The messages of a guard that looks for one code while a source runs."""
    with shapecheck.guard([code], severity="note") as guard:
        exec(compile(PREAMBLE + source, "example.py", "exec"), {"__name__": "example"})
    return [violation.message for violation in guard]


def example(code: str, heading: str) -> str:
    page = (DOCS / "codes" / f"{code}.md").read_text(encoding="utf-8")
    block = re.search(rf"^## {heading}\n\n```python\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert block, f"{code}.md shows {heading} code first under its heading"
    return block[1]


def shown(code: str) -> list[str]:
    """The messages that a page shows below its bad code."""
    page = (DOCS / "codes" / f"{code}.md").read_text(encoding="utf-8")
    block = re.search(r"^The messages? (?:is|are):\n\n((?:    .*\n)+)", page, re.MULTILINE)
    assert block, f"{code}.md shows the message below its bad code"
    return [line.removeprefix("    ") for line in block[1].splitlines()]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED])
def test_bad_code_is_reported_under_its_code_alone(code: str) -> None:
    assert {name for _, name in reported(example(code, "Bad"), code)} == {code}


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED, *OTHERS])
def test_a_page_shows_the_messages_of_its_bad_code(code: str) -> None:
    assert shown(code) == messages(example(code, "Bad"), code)


@pytest.mark.parametrize("code", OF_GUARDS)
def test_guards_report_as_the_page_shows(code: str) -> None:
    assert shown(code) == guarded(example(code, "Bad"), code)
    assert not guarded(example(code, "Good"), code)


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED])
def test_good_code_is_not_reported(code: str) -> None:
    assert reported(example(code, "Good"), code) == []


@pytest.mark.parametrize("code", [*CHECKS, *REVEALED])
def test_the_line_to_suppress_is_one_that_is_reported(code: str) -> None:
    (line,) = re.findall(
        rf"^(.*?)  # shapecheck: ignore\[(?:[\w-]+, )*{code}\]$", example(code, "How to suppress\n\nOn the line:"), re.M
    )
    bad = example(code, "Bad").splitlines()
    number = next(number for number, text in enumerate(bad, 1) if text.split("  # ")[0].strip() == line)
    assert (number, code) in reported("\n".join(bad), code)
    bad[number - 1] += f"  # shapecheck: ignore[{code}]"
    assert (number, code) not in reported("\n".join(bad), code)
