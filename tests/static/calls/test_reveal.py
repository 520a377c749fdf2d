"""`reveal_shape`: its note for each kind of value, and where it is recognized."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck import reveal_shape
from shapecheck.static import check

HEAD = "import torch\nfrom torch import nn\nfrom shapecheck import reveal_shape\n"


def notes(folder: Path, text: str, head: str = HEAD) -> list[str]:
    path = folder / "net.py"
    path.write_text(head + text)
    return [one.message for one in check([path]) if one.code == "revealed-shape"]


NOTES = {
    "a tensor": ("torch.zeros(2, 3)", "torch.float32 (2, 3)"),
    "a number": ("2 + 3", "5"),
    "a size": ("torch.zeros(2, 3).shape[1]", "3"),
    "a string": ("'a'", "'a'"),
    "None": ("None", "None"),
    "a tuple": ("(torch.zeros(2), 1)", "(torch.float32 (2,), 1)"),
    "a tuple of one": ("(1,)", "(1,)"),
    "a list": ("[torch.zeros(2), 'b']", "[torch.float32 (2,), 'b']"),
    "a long list": ("[0] * 20", "[0, 0, 0, 0, 0, 0, 0, 0, 12 more]"),
    "a dict": ("{'a': torch.zeros(2)}", "{'a': torch.float32 (2,)}"),
    "a set": ("{1, 'b'}", "{1, 'b'}"),
    "an empty set": ("set()", "set()"),
    "a function": ("lambda: 0", "function <lambda>"),
    "a layer": ("nn.Linear(3, 4)", "Linear(weight torch.float32 (4, 3))"),
    "a layer without a weight": ("nn.ReLU()", "ReLU"),
    "layers": ("nn.Sequential(nn.Linear(3, 4), nn.ReLU())", "Sequential(Linear(weight torch.float32 (4, 3)), ReLU)"),
    "a torch function": ("torch.relu", "torch.relu"),
    "an unknown float": ("float(input()) ** 2 / 3", "unknown: a float"),
    "an unknown value": ("open('x').read()", "unknown: "),
}


@pytest.mark.parametrize(("value", "text"), NOTES.values(), ids=NOTES)
def test_the_note_on_a_value(value: str, text: str, tmp_path: Path) -> None:
    (note,) = notes(tmp_path, f"reveal_shape({value})\n")
    assert note.startswith(text) if text.endswith(" ") else note == text


IMPORTS = {
    "imported": "from shapecheck import reveal_shape\n",
    "by the module": "import shapecheck\nreveal_shape = shapecheck.reveal_shape\n",
    "for type checkers only": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
    "    from shapecheck import reveal_shape\n",
    "not at all": "",
}


@pytest.mark.parametrize("head", IMPORTS.values(), ids=IMPORTS)
def test_where_the_name_comes_from_makes_no_difference(head: str, tmp_path: Path) -> None:
    assert notes(tmp_path, "reveal_shape(torch.zeros(2))\n", "import torch\n" + head) == ["torch.float32 (2,)"]


def test_another_function_of_that_name_is_another_function(tmp_path: Path) -> None:
    assert notes(tmp_path, "def reveal_shape(x): return x\nreveal_shape(1)\n", "") == []


def test_a_checkout_of_shapecheck_in_the_project_makes_no_difference(tmp_path: Path) -> None:
    (tmp_path / "shapecheck").mkdir()
    (tmp_path / "shapecheck/__init__.py").write_text("def reveal_shape(value):\n    return value\n")
    assert notes(tmp_path, "reveal_shape(1)\n") == ["1"]


def test_the_value_goes_on(tmp_path: Path) -> None:
    assert notes(tmp_path, "y = reveal_shape(torch.zeros(2, 3)).T\nreveal_shape(y)\n") == [
        "torch.float32 (2, 3)",
        "torch.float32 (3, 2)",
    ]


CONTEXTS = {
    "two": ("f(torch.zeros(2))\nf(torch.zeros(3))\n", "torch.float32 (2,) or torch.float32 (3,)"),
    "the same twice": ("f(torch.zeros(2))\nf(torch.zeros(2))\n", "torch.float32 (2,)"),
    "many": (
        "".join(f"f(torch.zeros({n}))\n" for n in range(2, 7)),
        "torch.float32 (2,) or torch.float32 (3,) or torch.float32 (4,) or 2 more",
    ),
    "one that is known": ("f(torch.zeros(2))\nf(open('x'))\n", "torch.float32 (2,)"),
    "none": ("", "unknown: argument x"),
    "one where findings do not count": (
        "try:\n    f(torch.zeros(2))\nexcept ValueError:\n    pass\n",
        "torch.float32 (2,)",
    ),
}


@pytest.mark.parametrize(("calls", "text"), CONTEXTS.values(), ids=CONTEXTS)
def test_one_note_for_all_contexts(calls: str, text: str, tmp_path: Path) -> None:
    assert notes(tmp_path, f"def f(x):\n    return reveal_shape(x)\n\n{calls}") == [text]


def test_at_run_time_it_gives_back_what_it_is_given() -> None:
    value = object()
    assert reveal_shape(value) is value


def test_at_run_time_it_loads_neither_torch_nor_the_rules() -> None:
    program = (
        "import sys; from shapecheck import reveal_shape; reveal_shape(1);"
        "print([name for name in sys.modules if name.startswith(('torch', 'shapecheck.'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
