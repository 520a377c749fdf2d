"""wrong-call: names that torch does not have, one letter away from one that it has."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.static.rules.programs import reported

FOUND = {
    "nn.Layernorm(8)": "torch.nn has no attribute Layernorm; expected LayerNorm",
    "nn.Relu()": "torch.nn has no attribute Relu; expected ReLU",
    "nn.Modulelist([])": "torch.nn has no attribute Modulelist; expected ModuleList",
    "nn.conv2d(3, 3, 3)": "torch.nn has no attribute conv2d; expected Conv2d",
    "nn.Identiy()": "torch.nn has no attribute Identiy; expected Identity",
    "x.unsqeeze(0)": "a tensor has no attribute unsqeeze; expected unsqueeze",
    "x.typ_as(x)": "a tensor has no attribute typ_as; expected type_as",
    "x.relu().contigous()": "a tensor has no attribute contigous; expected contiguous",
    "F.softmaxx(x)": "torch.nn.functional has no attribute softmaxx; expected softmax",
    "torch.matmull(x, x)": "torch has no attribute matmull; expected matmul",
}

QUIET = [
    "nn.BatchNorm4d(3)",
    "nn.MyLayer()",
    "x.special()",
    "x.sizes()",
    "x.items()",
    "x.is_ipu",
    "x.retains_grad",
    "anything.unsqeeze(0)",
    "anything.typ_as(x)",
    "torch.compiler.disable(x)",
    "torch.ops.own.matmull(x, x)",
]


@pytest.mark.parametrize(("expression", "expected"), FOUND.items())
def test_found(expression: str, expected: str, tmp_path: Path) -> None:
    found = reported(tmp_path, f"def f(x: Tensor):\n    return {expression}\n")
    assert [(code, message) for _, code, message in found] == [("wrong-call", expected)]


MODULES = {
    "torch": torch,
    "torch.nn": nn,
    "torch.nn.functional": F,
    "torch.linalg": torch.linalg,
    "Tensor": torch.Tensor,
}


@pytest.mark.parametrize("module", MODULES)
def test_no_function_of_torch_is_another_one_misspelled(module: str, tmp_path: Path) -> None:
    owner = "x" if module == "Tensor" else module
    names = [name for name in dir(MODULES[module]) if name.isidentifier() and callable(getattr(MODULES[module], name))]
    calls = "\n".join(f"def of_{name}(x: Tensor, value):\n    return {owner}.{name}(*value)" for name in names)
    assert [one for one in reported(tmp_path, calls) if "has no attribute" in one[-1]] == []


@pytest.mark.parametrize("expression", QUIET)
def test_quiet(expression: str, tmp_path: Path) -> None:
    assert reported(tmp_path, f"def f(x: Tensor, anything):\n    return {expression}\n") == []


def test_a_name_whose_existence_is_tested(tmp_path: Path) -> None:
    source = 'def f(x: Tensor):\n    return x.unsqeeze(0) if hasattr(x, "unsqeeze") else x\n'
    assert reported(tmp_path, source) == []
