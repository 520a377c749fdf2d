"""Methods that give a tensor another shape in place: what its name stands for afterwards."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

SHAPES = {
    "squeeze_": ("x = torch.zeros(3, 1)\nx.squeeze_()", "(3,)"),
    "unsqueeze_": ("x = torch.zeros(3)\nx.unsqueeze_(0)", "(1, 3)"),
    "t_": ("x = torch.zeros(3, 2)\nx.t_()", "(2, 3)"),
    "transpose_": ("x = torch.zeros(3, 2, 1)\nx.transpose_(0, 1)", "(2, 3, 1)"),
    "resize_": ("x = torch.zeros(3)\nx.resize_(4, 4)", "(4, 4)"),
    "set_": ("x = torch.zeros(3)\nx.set_(torch.zeros(5, 6))", "(5, 6)"),
    "a chain": ("x = torch.zeros(3, 1)\nx.unsqueeze_(0).transpose_(0, 1)", "(3, 1, 1)"),
    "within an expression": ("x = torch.zeros(3)\ny = x.unsqueeze_(1).repeat(1, 2)", "(3, 1)"),
    "a branch": ("x = torch.zeros(3, 1)\nif len(sys.argv):\n    x.squeeze_(1)\nelse:\n    x = x[:, 0]", "(3,)"),
    "an attribute": ("x = Holder().squeezed()", "(3,)"),
    "a name of the module": ("x = torch.zeros(3, 1)\ndef f():\n    x.squeeze_()\nf()", "(3,)"),
    "what changes values alone": ("x = torch.zeros(3, 1)\nx.mul_(2).clamp_(0)", "(3, 1)"),
}
HEAD = """\
import sys
import torch
from shapecheck import reveal_shape

class Holder:
    def __init__(self):
        self.held = torch.zeros(3, 1)

    def squeezed(self):
        self.held.squeeze_()
        return self.held

"""


def revealed(folder: Path, program: str) -> str:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program) + "\nreveal_shape(x)\n")
    (only,) = check([path])
    return only.message


@pytest.mark.parametrize("name", SHAPES)
def test_the_name_stands_for_the_new_shape(name: str, tmp_path: Path) -> None:
    program, shape = SHAPES[name]
    assert revealed(tmp_path, program) == f"torch.float32 {shape}"


@pytest.mark.parametrize("name", SHAPES)
def test_torch_says_the_same(name: str) -> None:
    torch = pytest.importorskip("torch")
    program, shape = SHAPES[name]
    names = {"__name__": "program"}
    exec(HEAD + program, names)
    assert names["x"].shape == torch.zeros(tuple(int(one) for one in shape.strip("(,)").split(","))).shape


def test_another_name_of_the_tensor_is_not_known_any_more(tmp_path: Path) -> None:
    program = "y = torch.zeros(3, 1)\nx = y\ny.squeeze_()"
    assert "unknown" in revealed(tmp_path, program)


def test_indices_of_a_squeezed_nonzero_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "def kept(values):\n"
        "    values = values.reshape(-1)\n"
        "    found = values.nonzero()\n"
        "    found.squeeze_()\n"
        "    return values.index_select(0, found)\n"
    )
    assert check([path]) == []


OUT = {
    "a variable without elements": (
        "x = torch.empty(0)\ntorch.cat([torch.zeros(2, 3), torch.zeros(2, 3)], out=x)",
        "(4, 3)",
    ),
    "a variable of another shape": ("x = torch.zeros(2)\ntorch.zeros(3, 4).sum(dim=1, out=x)", "(3,)"),
    "a variable of the same shape": (
        "x = torch.zeros(2, 4)\ntorch.mm(torch.zeros(2, 3), torch.zeros(3, 4), out=x)",
        "(2, 4)",
    ),
    "the dtype of the variable": ("x = torch.arange(3, out=torch.zeros(3))", "(3,)"),
}


@pytest.mark.parametrize("name", OUT)
def test_a_variable_that_is_passed_as_out_has_the_shape_of_the_result(name: str, tmp_path: Path) -> None:
    program, shape = OUT[name]
    assert revealed(tmp_path, program) == f"torch.float32 {shape}"
