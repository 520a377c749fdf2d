"""Nine bugs that run without a word, or fail far from their line: each is reported on the line marked HERE."""

from __future__ import annotations

import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest

import shapecheck
from shapecheck.diagnostics import CODES
from shapecheck.runtime.guards import GuardError, GuardWarning

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
"""

PLANTED = {
    "squeeze at batch 1": (
        """
        def forward(x):
            return x.squeeze()  # HERE

        forward(torch.randn(1, 1, 8))
        """,
        "squeeze-batch",
    ),
    "outer broadcast": (
        """
        def loss(scores, target):
            return ((scores - target) ** 2).mean()  # HERE

        loss(torch.randn(8, 1, requires_grad=True), torch.randn(8)).backward()
        """,
        "silent-broadcast",
    ),
    "outer broadcast hidden in a reduction": (
        """
        def loss(scores, target):
            return F.kl_div(scores.log_softmax(0), target, reduction="batchmean")  # HERE

        loss(torch.randn(8, 1), torch.rand(8))
        """,
        "loss-broadcast",
    ),
    "view of strided memory": (
        """
        def heads(x):
            return x.transpose(1, 2).view(2, -1)  # HERE

        heads(torch.randn(2, 3, 4))
        """,
        "non-contiguous",
    ),
    "float32 leak": (
        """
        scale = torch.ones(8)
        x = torch.randn(4, 8, dtype=torch.bfloat16)
        y = x * scale  # HERE
        """,
        "precision-leak",
    ),
    "float64 leak": (
        """
        import numpy
        noise = torch.from_numpy(numpy.random.randn(4, 8))
        y = nn.Linear(8, 8)(torch.randn(4, 8)) + noise  # HERE
        """,
        "float64-leak",
    ),
    "copy by reshape": (
        """
        x = torch.randn(2, 3, 4).transpose(1, 2)
        y = x.reshape(2, 12)  # HERE
        """,
        "hidden-copy",
    ),
    "hard-coded length": (
        """
        position = torch.randn(16, 8)

        def embed(x):
            return x + position[:16]  # HERE

        embed(torch.randn(2, 12, 8))
        """,
        "shape-mismatch",
    ),
    "dropped channels_last": (
        """
        conv = nn.Conv2d(3, 8, 3).to(memory_format=torch.channels_last)
        x = conv(torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last))
        x = x.contiguous()  # HERE
        """,
        "lost-memory-format",
    ),
}


def run(tmp_path: Path, program: str, **settings: Any) -> tuple[list[tuple[int, str]], int, BaseException | None]:
    """What a guard found in a program, the line that is marked, and what the program raised."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + textwrap.dedent(program))
    marked = next((n for n, line in enumerate(path.read_text().splitlines(), 1) if "# HERE" in line), 0)
    guard, raised = shapecheck.guard(**settings), None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GuardWarning)
        try:
            with guard:
                exec(compile(path.read_text(), str(path), "exec"), {"__name__": "program"})
        except Exception as error:
            raised = error
    return [(one.line, one.code) for one in guard if one.path == str(path)], marked, raised


@pytest.mark.parametrize(("program", "code"), PLANTED.values(), ids=PLANTED)
def test_it_is_reported_on_its_line(program: str, code: str, tmp_path: Path) -> None:
    found, marked, _ = run(tmp_path, program, rules="all")
    assert (marked, code) in found
    assert {line for line, _ in found} == {marked}


@pytest.mark.parametrize(("program", "code"), PLANTED.values(), ids=PLANTED)
def test_by_default_only_what_nobody_means_is(program: str, code: str, tmp_path: Path) -> None:
    """Copies, formats and mixed precision are wanted in some models that people use."""
    found, marked, _ = run(tmp_path, program)
    assert found == ([(marked, code)] if CODES[code].default else [])


QUIET = {
    "an axis that was written": "torch.randn(8)[:, None] - torch.randn(8)[None]",
    "axes that were written beside fewer axes": "torch.randn(4, 8)[..., None, None] + torch.randn(3, 2)",
    "an axis that was unsqueezed": "torch.randn(4, 8).unsqueeze(-1) - torch.randn(3)",
    "a row for each row": "torch.randn(4, 8) - torch.randn(8)",
    "a mean for each row": "torch.randn(4, 8) - torch.randn(4, 1)",
    "numbers that are no measurements": "torch.arange(8)[:, None] == torch.arange(8)",
    "indices": "torch.arange(8)[:, None] + torch.arange(4)",
    "a product of different ranks": "torch.randn(4, 8, 1) * torch.randn(8)",
    "a scalar": "torch.randn(4, 8) * torch.tensor(2.0, dtype=torch.float64)",
    "a number": "torch.randn(4, 8, dtype=torch.bfloat16) * 2.5",
    "integers": "torch.randn(4, 8, dtype=torch.bfloat16) * torch.arange(8)",
    "all of one kind": "torch.randn(4, dtype=torch.float64) + torch.randn(4, dtype=torch.float64)",
    "a named axis": "torch.randn(1, 1, 8).squeeze(1)",
    "a batch of two": "torch.randn(2, 1, 8).squeeze()",
    "a loss of equal shapes": "F.mse_loss(torch.randn(8, 1), torch.randn(8, 1))",
    "a loss against one number": "F.mse_loss(torch.randn(8), torch.tensor(0.0))",
    "channels_last through pointwise": "torch.relu(torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last))",
    "a layer that permutes": (
        "x = torch.randn(2, 3, 8, 8); y = x + nn.LayerNorm(3)(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)"
    ),
    "a reshape that is a view": "torch.randn(4, 8).reshape(2, 16)",
    "a refusal that the program expects": ("try:\n    torch.randn(2, 3).t().view(6)\nexcept RuntimeError:\n    pass"),
}


@pytest.mark.parametrize("program", QUIET.values(), ids=QUIET)
def test_what_is_meant_is_not_reported(program: str, tmp_path: Path) -> None:
    found, _, raised = run(tmp_path, program)
    assert found == []
    assert raised is None


def test_the_exception_comes_through_unchanged(tmp_path: Path) -> None:
    program, _ = PLANTED["view of strided memory"]
    _, _, raised = run(tmp_path, program)
    assert type(raised) is RuntimeError
    assert "view size is not compatible" in str(raised)


def test_an_error_is_raised_where_the_operator_was_called(tmp_path: Path) -> None:
    program, code = PLANTED["outer broadcast"]
    found, marked, raised = run(tmp_path, program, severity="error")
    assert found == [(marked, code)]
    assert isinstance(raised, GuardError)
    assert str(raised) == ("both operands are broadcast: (8, 1) - (8,) -> (8, 8) [silent-broadcast]")


def test_the_operator_that_drops_the_format_is_named(tmp_path: Path) -> None:
    program = """
    x = torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
    x = F.relu(x.abs()).contiguous().neg()
    """
    path = tmp_path / "program.py"
    path.write_text(HEAD + textwrap.dedent(program))
    with shapecheck.guard(["lost-memory-format"], severity="note") as guard:
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "program"})
    (found,) = guard
    assert "contiguous() loses channels_last" in found.message
