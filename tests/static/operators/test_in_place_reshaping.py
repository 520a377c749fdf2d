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


NAMES = """\
from torch import nn

def lift(tensor):
    tensor.unsqueeze_(0)

def replace(parameter, value):
    parameter.data = value

def join(out):
    torch.cat([torch.zeros(2, 3)] * 2, out=out)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.zeros(2, 3))
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x) @ torch.zeros(4, 1)

"""
OTHER_NAMES = {
    "an argument": "x = torch.zeros(2, 3)\nlift(x)\nx.bmm(torch.zeros(1, 3, 4))",
    "a second name": "x = torch.zeros(2, 3)\ny = x\ny.unsqueeze_(0)\nx.bmm(torch.zeros(1, 3, 4))",
    "an item of a list": "held = [torch.zeros(2, 3)]\nfor one in held:\n    one.t_()\nheld[0] @ torch.zeros(2, 2)",
    "an item of a dict": "held = {1: torch.zeros(2, 3)}\n"
    "for one in held.values():\n    one.t_()\nheld[1] @ torch.zeros(2, 2)",
    "a subscript": "held = [torch.zeros(2, 3)]\nheld[0].t_()\nheld[0] @ torch.zeros(2, 2)",
    "an attribute": "net = Net()\nlift(net.kernel)\nnet.kernel.bmm(torch.zeros(1, 3, 4))",
    "what a method returns": "holder = Holder()\nholder.squeezed().t_().unsqueeze_(0)\n"
    "holder.held.view(1, 3) @ torch.zeros(3, 1)",
    "data of an argument": "x = nn.Parameter(torch.zeros(2, 3))\nreplace(x, torch.zeros(4, 5))\nx @ torch.zeros(5, 1)",
    "the weight of a layer": "net = Net()\nreplace(net.fc.weight, torch.zeros(4, 6))\nnet(torch.zeros(1, 6))",
    "out of a function": "x = torch.empty(0)\njoin(x)\nx @ torch.zeros(3, 1)",
}
SAME_SHAPE = {
    "another tensor": "x, y = torch.zeros(2, 3), torch.zeros(2, 3)\nlift(y)\nx @ torch.zeros(4, 1)",
    "data of the same shape": "net = Net()\nreplace(net.fc.weight, torch.zeros(4, 3))\nnet(torch.zeros(1, 6))",
}


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_other_names_of_the_tensor_are_unknown(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + NAMES + OTHER_NAMES[name])
    assert check([path]) == []


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_torch_accepts_other_names(name: str) -> None:
    pytest.importorskip("torch")
    exec(HEAD + NAMES + OTHER_NAMES[name], {"__name__": "program"})


@pytest.mark.parametrize("name", SAME_SHAPE)
def test_what_keeps_its_shape_is_known(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + NAMES + SAME_SHAPE[name])
    assert [one.code for one in check([path])] == ["shape-mismatch"]
