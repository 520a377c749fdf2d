"""Copies, syncs, broadcasts and promotions are told on the line marked HERE, and nothing is told of other lines."""

from __future__ import annotations

import textwrap
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensorMode

from shapecheck.harness.probe import Probe
from shapecheck.harness.results import LineRecord

HEAD = """\
import numpy
import torch
import torch.nn.functional as F
from torch import nn
x = torch.arange(24.0).reshape(2, 3, 4)
n = torch.tensor([1, 2, 0, 1])
"""

TOLD: dict[str, tuple[str, str, str, int, int]] = {
    # what, kind, operator, how often, bytes
    "contiguous": ("x.transpose(1, 2).contiguous()", "copy", "clone", 1, 96),
    "reshape": ("x.transpose(1, 2).reshape(2, 12)", "copy", "clone", 1, 96),
    "flatten": ("x.transpose(1, 2).flatten()", "copy", "clone", 1, 96),
    "expanded": ("x[:1].expand(5, 3, 4).contiguous()", "copy", "clone", 1, 5 * 48),
    "channels last": ("x[None].to(memory_format=torch.channels_last)", "copy", "to", 1, 96),
    "dtype": ("x.double()", "copy", "to", 1, 192),
    "in a loop": ("[x.transpose(1, 2).contiguous() for _ in range(3)]", "copy", "clone", 3, 3 * 96),
    "in a layer": ("nn.Flatten()(x.transpose(1, 2))", "copy", "clone", 1, 96),
    "item": ("x.sum().item()", "sync", "item", 1, 4),
    "item with a literal": ("(torch.tensor(2) * x.sum()).item()", "sync", "item", 1, 4),
    "bool": ("bool(x.sum() > 0)", "sync", "item", 1, 1),
    "if": ("1 if (x > 0).any() else 2", "sync", "item", 1, 1),
    "float": ("float(x.mean())", "sync", "item", 1, 4),
    "index": ("[0, 1][x.argmax() * 0]", "sync", "item", 1, 8),
    "cpu": ("x.cpu()", "sync", "cpu", 1, 96),
    "numpy": ("x.numpy()", "sync", "numpy", 1, 96),
    "asarray": ("numpy.asarray(x)", "sync", "numpy", 1, 96),
    "tolist": ("x.tolist()", "sync", "tolist", 1, 96),
    "nonzero": ("(x > 0).nonzero()", "sync", "nonzero", 1, 24),
    "where": ("torch.where(x > 0)", "sync", "nonzero", 1, 24),
    "mask": ("x[x > 3]", "sync", "index", 1, 24),
    "masked_select": ("x.masked_select(x > 3)", "sync", "masked_select", 1, 96),
    "put by mask": ("x.__setitem__(x > 3, x[x > 3])", "sync", "index_put_", 1, 24),
    "unique": ("n.unique()", "sync", "unique", 1, 32),
    "repeated": ("x.new_zeros(4).repeat_interleave(n)", "sync", "repeat_interleave", 1, 32),
    "equal": ("torch.equal(x, x)", "sync", "equal", 1, 96),
    "outer": ("x[:, 0, 0] - x[:, 0, :1]", "broadcast", "sub", 1, 16),
    "promotion": ("x * x.double()", "promotion", "mul", 1, 192),
    "promotion of a half": ("torch.add(x.half().T.T, x)", "promotion", "add", 1, 96),
    "joined": ("torch.cat([x, x.double()])", "promotion", "cat", 1, 384),
}

SILENT = [
    "x.contiguous()",
    "x.reshape(6, 4)",
    "x.clone()",
    "x.transpose(1, 2).clone()",
    "x.T.clone()",
    "x[:1].transpose(0, 1).contiguous()",
    "x.view(6, 4).T",
    "x.to(torch.float32)",
    "torch.stack([x, x])",
    "x.sum().double()",
    "torch.arange(torch.tensor(3))",
    "torch.tensor([1, 2]).tolist()",
    "(torch.tensor(3) * 2 + torch.tensor(1)).item()",
    "x.view(torch.div(12, 2, rounding_mode='trunc'), torch.tensor(2) * 2)",
    "x[:, torch.tensor(1)]",
    "x[n[2:]]",
    "x.masked_fill(x > 3, 0.0)",
    "x.__setitem__(x > 3, 0.0)",
    "torch.where(x > 3, x, -x)",
    "F.one_hot(n, 4)",
    "x.view(2, 1, 3, 4) * x.view(1, 2, 3, 4)",
    "x[:, 0, :1] - x[:, 0, :1].T",
    "x + x[0]",
    "x + x[0, 0]",
    "x - x.mean().double()",
    "x * 2.0 + 1",
    "x + n",
    "n[:, None] - n",
    "x.detach()",
    "F.softmax(x @ x.transpose(1, 2), -1)",
    "nn.Linear(4, 2)(x)",
    "nn.LayerNorm(4)(x)",
    "nn.BatchNorm1d(3)(x)",
    "nn.LSTM(4, 3, batch_first=False)(x)",
]


def lines(tmp_path: Path, body: str, fake: bool = False) -> tuple[LineRecord, ...]:
    """What a probe tells about a program of one line, whose other lines ran before it."""
    file = tmp_path / "program.py"
    file.write_text(HEAD + "def run():\n    " + body + "\n")
    names: dict[str, Any] = {}
    if fake:
        with FakeTensorMode(allow_non_fake_inputs=True):
            return _probed(file, names)
    return _probed(file, names)


def _probed(file: Path, names: dict[str, Any]) -> tuple[LineRecord, ...]:
    exec(compile(file.read_text(), str(file), "exec"), names)
    no_value = suppress(DataDependentOutputException, DynamicOutputShapeException)  # a FakeTensor has none to give
    with no_value, Probe(nn.Identity()) as probe:
        names["run"]()
    return probe.lines()


@pytest.mark.parametrize("name", TOLD)
def test_told(name: str, tmp_path: Path) -> None:
    body, kind, operator, count, moved = TOLD[name]
    found = [one for one in lines(tmp_path, body) if (one.kind, one.operator) == (kind, operator)]
    line = len(HEAD.splitlines()) + 2
    assert found == [LineRecord(str(tmp_path / "program.py"), line, kind, operator, count, moved, "", body)]


@pytest.mark.parametrize("body", SILENT)
def test_silent(body: str, tmp_path: Path) -> None:
    assert lines(tmp_path, body) == ()


def test_inference_mode_tells_the_same(tmp_path: Path) -> None:
    for body, kind, operator, count, moved in TOLD.values():
        with torch.inference_mode():
            found = [(one.operator, one.count, one.moved_bytes) for one in lines(tmp_path, body) if one.kind == kind]
        assert (operator, count, moved) in found
    for body in SILENT:
        with torch.inference_mode():
            assert lines(tmp_path, body) == ()


@pytest.mark.parametrize(
    "name", ["contiguous", "reshape", "dtype", "item", "if", "nonzero", "mask", "outer", "promotion"]
)
def test_told_without_data(name: str, tmp_path: Path) -> None:
    body, kind, operator, *_ = TOLD[name]
    assert (kind, operator) in {(one.kind, one.operator) for one in lines(tmp_path, body, fake=True)}


def test_lines_are_told_with_the_module_that_runs(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    source = """
        from torch import nn
        class Inner(nn.Module):
            def forward(self, x):
                return x.transpose(0, 1).contiguous()
        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()
            def forward(self, x):
                return self.inner(x).double()
        """
    file.write_text(textwrap.dedent(source))
    names: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    model = names["Outer"]()
    with Probe(model) as probe:
        model(torch.zeros(2, 3))
    told = [(one.line, one.kind, one.module, one.source) for one in probe.lines()]
    assert told == [
        (5, "copy", "inner", "return x.transpose(0, 1).contiguous()"),
        (11, "copy", "", "return self.inner(x).double()"),
    ]


def test_backward_is_of_no_line(tmp_path: Path) -> None:
    body = "(x.requires_grad_().transpose(1, 2) * 2.0).sum().backward()"
    assert lines(tmp_path, body) == ()
