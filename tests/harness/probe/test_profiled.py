"""Copies that operators make inside themselves are told on the line of the call; nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.modules import module as torch_module

from shapecheck.harness.probe import Probe, Profiled
from shapecheck.harness.results import LineRecord
from tests.harness.probe.models import CASES

HEAD = """\
import torch
import torch.nn.functional as F
x = torch.randn(8, 6, 4, 10)
strided = x.transpose(1, 3)
weight = torch.randn(4, 10, 3, 3)
images = torch.randn(2, 10, 5, 5)
rows, columns = torch.randn(8, 12)[:, ::2], torch.randn(6, 5)
which, table = torch.randint(0, 10, (5, 6)).t(), torch.randn(10, 20).t()
scores, classes = torch.randn(5, 20).t(), torch.randint(0, 5, (20,))
"""

TOLD = {
    "layer_norm": ("F.layer_norm(strided, (6,))", "native_layer_norm", 7680),
    "input of a convolution": ("F.conv2d(images.transpose(2, 3), weight)", "convolution", 2000),
    "weight of a convolution": ("F.conv2d(images, weight.transpose(2, 3))", "convolution", 1440),
    "product": ("rows @ columns", "mm", 192),
    "softmax": ("strided.softmax(-1)", "softmax", 7680),
    "embedding": ("F.embedding(which, table)", "embedding", 240),
    "cross entropy": ("F.cross_entropy(scores, classes)", "log_softmax", 400),
    "fft": ("torch.fft.rfft(strided)", "fft_r2c", 7680),
    "pooling": ("F.max_pool2d(strided, 2)", "max_pool2d_with_indices", 7680),
}

SILENT = [
    "F.layer_norm(x, (10,))",
    "F.linear(rows.contiguous(), columns.t(), torch.ones(5))",
    "F.conv2d(images, weight)",
    "x.softmax(-1)",
    "x + strided.transpose(1, 3)",
    "strided.contiguous()",
    "strided.reshape(8, -1)",
    "x.double()",
    "torch.empty(3, 4).copy_(torch.ones(4, 3).t())",
]


def lines(tmp_path: Path, body: str) -> tuple[LineRecord, ...]:
    file = tmp_path / "program.py"
    file.write_text(f"{HEAD}def run():\n    {body}\n")
    names: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    with torch.no_grad(), Profiled(nn.Identity()) as profiled:
        names["run"]()
    return profiled.lines()


@pytest.mark.parametrize("name", TOLD)
def test_told(name: str, tmp_path: Path) -> None:
    body, operator, moved = TOLD[name]
    line = len(HEAD.splitlines()) + 2
    assert lines(tmp_path, body) == (
        LineRecord(str(tmp_path / "program.py"), line, "copy", operator, 1, moved, "", body),
    )


@pytest.mark.parametrize("body", SILENT)
def test_silent(body: str, tmp_path: Path) -> None:
    assert lines(tmp_path, body) == ()


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_without_a_profile(name: str) -> None:
    case = CASES[name]
    model, x = case.make().eval(), case.inputs()
    with Profiled(model) as profiled:
        found = model(x)
    assert torch.equal(found, model(x))
    assert {one.kind for one in profiled.lines()} <= {"copy"}
    assert not {**torch_module._global_forward_hooks, **torch_module._global_forward_pre_hooks}


def test_a_module_that_normalises_a_transposed_tensor() -> None:
    model = nn.Sequential(nn.Unflatten(1, (3, 4)), nn.Identity(), nn.LayerNorm(3))
    model[1].register_forward_hook(lambda module, args, result: result.transpose(1, 2))
    x = torch.zeros(2, 12)
    with Profiled(model) as profiled:
        model(x)
    with Probe(model) as probe:
        model(x)
    assert [(one.module, one.operator, one.moved_bytes) for one in profiled.lines()] == [("2", "native_layer_norm", 96)]
    assert probe.lines() == ()
