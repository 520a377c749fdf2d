"""The pages of the codes that only several processes can have: the bad code has the message, the good code none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult
from shapecheck.harness.run_options import RunOptions
from tests.versions import since

DOCS = Path(__file__).parents[3] / "docs" / "codes"
PREAMBLE = """\
from jaxtyping import Float
from torch import Tensor, nn
from torch import distributed as dist
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

import shapecheck


"""
CODES = ["collective-mismatch", "shard-mismatch"]

pytestmark = since(2, 6, "there is no fully_shard and no public DTensor")


def examined(code: str, heading: str, folder: Path) -> tuple[str, CaseResult]:
    """The source of an example, and its result."""
    text = (DOCS / f"{code}.md").read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    source = PREAMBLE + re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    file = folder / f"page_{code.replace('-', '_')}_{heading.lower()}.py"
    file.write_text(source, encoding="utf-8")
    target = Target(file, file.stem, folder)
    (case,) = list_cases(target)
    return source, examine(target, case.name, RunOptions(checks=("ranks",), ranks=2, seconds=120))


@pytest.mark.parametrize("code", CODES)
def test_bad_code_has_the_message_of_the_page(code: str, tmp_path: Path) -> None:
    source, result = examined(code, "Bad", tmp_path)
    (found,) = result.diagnostics
    assert found.code == code
    message = re.findall(r"^    (\S.*)$", (DOCS / f"{code}.md").read_text().partition("The message")[2], re.MULTILINE)[
        0
    ]
    assert found.message == message
    text = source.splitlines()[found.line - 1]
    assert ("all_reduce" if code == "collective-mismatch" else "self.head =") in text


@pytest.mark.parametrize("code", CODES)
def test_good_code_has_no_finding(code: str, tmp_path: Path) -> None:
    result = examined(code, "Good", tmp_path)[1]
    assert not result.diagnostics
    assert [one.outcome.value for one in result.checks] == ["passed", "passed"], result.checks
