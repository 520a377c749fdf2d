"""Tuples of results, methods and properties that are used as tensors; torch raises an error for each."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from shapecheck.static import check

HEAD = """\
import torch
from torch import Tensor, nn


def f(x: Tensor, y: Tensor):
"""
FOUND = {
    "x.sort() * 2.0": "*: x.sort() is a tuple of values and indices, not a tensor; take .values or [0]",
    "x + y.max(1)": "+: y.max(1) is a tuple of values and indices, not a tensor; take .values or [0]",
    "x.topk(2) / 2": "/: x.topk(2) is a tuple of values and indices, not a tensor; take .values or [0]",
    "x.max(dim=1).float()": "x.max(dim=1) is a tuple of values and indices, which has no attribute float",
    "nn.LSTM(4, 4)(x).shape": "nn.LSTM(4, 4)(x) is a tuple of 2 results, which has no attribute shape",
    "1 + x.item": "+: x.item is a method; call x.item()",
    "x * y.mean": "*: y.mean is a method; call y.mean()",
    "x.shape()": "x.shape is a property, not a method; leave out the parentheses",
    "x.shape(0)": "x.shape is a property, not a method; leave out the parentheses",
    "x.ndim()": "x.ndim is a property, not a method; leave out the parentheses",
    "x.size[0]": "x.size is a method, which has no items; call it: x.size(0)",
    "nn.Linear(4, 1)(nn.LSTM(4, 4)(x))": "Linear: expected input to be a tensor, got (",
    "nn.Sequential(nn.GRU(4, 4), nn.Linear(4, 1))(x)": "Linear: expected input to be a tensor, got (",
    "nn.ReLU(x)(y)": "ReLU: expected an option, got a tensor of shape",
    "nn.Softmax(x)(y)": "Softmax: expected an option, got a tensor of shape",
    "nn.MSELoss(x, y)": "MSELoss: expected an option, got a tensor of shape",
    "nn.CrossEntropyLoss(x, y)": "CrossEntropyLoss: expected an option, got a tensor of shape",
}
QUIET = [
    "x.sort().values * 2.0",
    "x.sort()[0].float()",
    "x.sort() * 2",
    "x.sort() + (y,)",
    "nn.LSTM(4, 4)(x)[0].shape",
    "x.item() + 1 if x.numel() == 1 else x",
    "x.size()[0]",
    "x.shape.numel()",
    "nn.LeakyReLU(torch.tensor(0.1))(x)",
    "nn.CrossEntropyLoss(torch.rand(4))",
    "getattr(x.sort(), 'shape', None)",
    "x.data * y.real + x.T.sum()",
]


def found(expression: str, folder: Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.indent(f"b, d = x.shape\nc, e = y.shape\nreturn {expression}\n", "    "))
    return [one.message for one in check([path], codes={"wrong-call"})]


def run(expression: str) -> Any:
    return eval(expression, {"torch": torch, "nn": nn, "x": torch.rand(3, 4), "y": torch.rand(3, 4)})


@pytest.mark.parametrize("expression", FOUND)
def test_found_where_torch_raises_an_error(expression: str, tmp_path: Path) -> None:
    (message,) = found(expression, tmp_path)
    assert message.startswith(FOUND[expression])
    with pytest.raises((TypeError, AttributeError, RuntimeError)):
        run(expression)


@pytest.mark.parametrize("expression", QUIET)
def test_quiet_where_torch_raises_none(expression: str, tmp_path: Path) -> None:
    assert found(expression, tmp_path) == []
    run(expression)


@pytest.mark.parametrize("test", ["isinstance(out, tuple)", "not torch.is_tensor(out)", "type(out) is tuple"])
def test_quiet_behind_a_test_for_a_tuple(test: str, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(
        f"import torch\nfrom torch import nn\n\n\ndef f(x, layer=None):\n    out = (layer or nn.GRU(4, 4))(x)\n"
        f"    if {test}:\n        out = out[0]\n    return out.mean()\n"
    )
    assert check([path]) == []


def test_an_attribute_of_a_tensor_is_no_method(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text("def step(w):\n    w = w.float()\n    return w - 0.1 * w.grad - w.grad[0] * w._base\n")
    assert check([path]) == []


def test_an_augmented_assignment_adds_a_method(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "from torch import nn\n\n\ndef train(model, loader):\n    total = 0.0\n    criterion = nn.MSELoss()\n"
        "    for x, y in loader:\n        loss = criterion(model(x), y)\n        total += loss.item\n    return total\n"
    )
    assert [one.message for one in check([path])] == ["+: loss.item is a method; call loss.item()"]


UNKNOWN = """
class Embedding:
    def document(self, states, mean):
        layers = {layers}
        if mean:
            return layers.mean(0)
        return {result}
"""


def test_the_size_of_what_is_used_as_a_tensor(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(UNKNOWN.format(layers="states[:, :, 0]", result="layers.view(-1, layers.size[-1])"))
    (found,) = check([path])
    assert (found.code, found.message.split(";")[0]) == (
        "wrong-call",
        "layers.size is a method, which has no items",
    )


@pytest.mark.parametrize(
    ("layers", "result"),
    [
        ("states.image", "layers.resize(layers.size[0])"),
        ("states.image", "layers.view(layers.size[0])"),
        ("states.image", "layers.view(-1, 2) if isinstance(layers, Tensor) else layers.size[0]"),
        ("states.image\n        layers = states.tensor(layers.size[0])", "layers.view(-1, 2)"),
    ],
)
def test_an_image_has_an_attribute_size(layers: str, result: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(UNKNOWN.format(layers=layers, result=result))
    assert check([path]) == []


ELLIPSIS = "def f(x, n: int):\n    return {}\n"


@pytest.mark.parametrize("result", ["x[... :n]", "x[...:n, 0]", "x[0, n:...]"])
def test_an_ellipsis_is_no_bound(result: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(ELLIPSIS.format(result))
    (found,) = check([path])
    assert (found.code, found.message) == ("wrong-call", "an ellipsis is no bound of a slice; a comma is missing")
    with pytest.raises(TypeError):
        eval(result, {"x": torch.ones(2, 3), "n": 1})


@pytest.mark.parametrize("result", ["x[..., :n]", "x[:n, ...]", "x[...]", "x[n:]"])
def test_an_ellipsis_beside_a_slice(result: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(ELLIPSIS.format(result))
    assert check([path]) == []
