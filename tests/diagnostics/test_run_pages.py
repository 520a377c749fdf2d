"""The pages of `shapecheck run` match what it does.

Their bad code is reported with the message that the page shows, and their good code is not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import torch

from shapecheck.diagnostics import RUN
from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult
from shapecheck.harness.run_options import RunOptions

DOCS = Path(__file__).parents[2] / "docs"
PREAMBLE = """\
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

import shapecheck


"""
_SEPARATE = ("ended-run", "wrap-mismatch", "collective-mismatch", "shard-mismatch")
_BY_NAME = {"recompilation": "recompiles", "wrong-gradient": "gradcheck"}
"""The checks that a run includes only by name."""
CODES = [code for code in RUN if code not in _SEPARATE]
"""All but those that need a separate process, which the tests of the command, of the wrappers and of ranks cover."""
_NUMBERS = count()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A directory with the checkpoint that an example loads."""
    monkeypatch.chdir(tmp_path)
    torch.save({f"up.{name}": weight for name, weight in torch.nn.Linear(8, 16).state_dict().items()}, "net.pt")
    yield
    sys.path[:] = [entry for entry in sys.path if entry != str(tmp_path)]


def examined(code: str, options: RunOptions) -> list[CaseResult]:
    name = f"example_{next(_NUMBERS)}"
    file = Path(f"{name}.py").absolute()
    file.write_text(PREAMBLE + code)
    target = Target(file, name, file.parent)
    return [examine(target, case.name, options) for case in list_cases(target)]


def reported(code: str, options: RunOptions) -> list[tuple[int, str]]:
    """The lines and codes of the findings in a source."""
    results = examined(code, options)
    assert len(results) == 1 and results[0].sizes
    return [(one.line - PREAMBLE.count("\n"), one.code) for one in results[0].diagnostics]


def options_for(code: str) -> RunOptions:
    """The options of a run that reports the code."""
    if code in _BY_NAME:
        return RunOptions(checks=(_BY_NAME[code],))
    return RunOptions(wrap="fsdp") if code == "wrap-mismatch" else RunOptions()


def example(code: str, heading: str) -> str:
    page = (DOCS / "codes" / f"{code}.md").read_text(encoding="utf-8")
    block = re.search(rf"^## {heading}\n\n```python\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert block, f"{code}.md shows {heading} code first under its heading"
    return block[1]


@pytest.mark.parametrize("code", CODES)
def test_bad_code_is_reported_as_the_page_shows(code: str) -> None:
    (result,) = examined(example(code, "Bad"), options_for(code))
    assert {one.code for one in result.diagnostics} == {code}
    page = (DOCS / "codes" / f"{code}.md").read_text(encoding="utf-8")
    shown = re.search(r"^The messages? (?:is|are):\n\n((?:    .*\n)+)", page, re.MULTILINE)
    assert shown, f"{code}.md shows the message below its bad code"
    messages = [line.removeprefix("    ") for line in shown[1].splitlines()]
    assert list(map(without_figures, messages)) == [without_figures(one.message) for one in result.diagnostics]


def without_figures(message: str) -> str:
    """A message without the numbers that depend on the version of torch or on random values, or on our file."""
    return re.sub(r"\d[\d.e-]*", "N", re.sub(r"\bexample_\d+\.py", "model.py", message))


@pytest.mark.parametrize("code", CODES)
def test_good_code_is_not_reported(code: str) -> None:
    assert reported(example(code, "Good"), options_for(code)) == []


@pytest.mark.parametrize("code", CODES)
def test_a_comment_on_the_line_suppresses_it(code: str) -> None:
    lines = example(code, "Bad").splitlines()
    for number in {line for line, name in reported("\n".join(lines), options_for(code)) if name == code}:
        lines[number - 1] += f"  # shapecheck: ignore[{code}]"
    assert any("ignore" in line for line in lines)
    assert reported("\n".join(lines), options_for(code)) == []
