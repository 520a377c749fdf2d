"""Tensors of numbers whose values are unknown: each number is one element, and its kind gives the dtype."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = "import random\nimport torch\nfrom shapecheck import reveal_shape\n\nMAY = torch.rand(1).item() > 0.5\n"
SHAPES = {
    "floats that are computed": ("[float(torch.rand(2).sum()), 0.5]", "torch.float32 (2,)"),
    "floats of a sample": ("random.sample([float(i) for i in range(60)], 16)", "torch.float32 (16,)"),
    "flags of a sample": ("random.sample([i % 20 == 19 for i in range(60)], 16)", "torch.bool (16,)"),
    "a number in one of two branches": ("[3 if MAY else 4, 5]", "torch.int64 (2,)"),
    "a float in one of two branches": ("[0.5 if MAY else 1.5]", "torch.float32 (1,)"),
    "nested lists": ("[[float(input()), 1.0], [2.0, 3.0]]", "torch.float32 (2, 2)"),
    "a tuple": ("(0.5 if MAY else 1.5, 1.0)", "torch.float32 (2,)"),
}
OPEN = {
    "a number or a list": "[3 if MAY else [4]]",
    "something unknown": "[load()]",
    "a whole number or a float": "[3 if MAY else 0.5]",
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("function", ["torch.tensor", "torch.as_tensor", "torch.zeros(1).new_tensor"])
def test_a_number_is_one_element(name: str, function: str, tmp_path: Path) -> None:
    data, shape = SHAPES[name]
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}x = {function}({data})\nreveal_shape(x)\n")
    (found,) = check([path])
    kept = shape if "new_tensor" not in function else shape.partition(" ")[2]
    assert kept in found.message


@pytest.mark.parametrize("name", OPEN)
def test_what_may_be_no_number_has_any_rank(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}from elsewhere import load\nx = torch.tensor({OPEN[name]})\nreveal_shape(x)\n")
    (found,) = check([path])
    assert "..." in found.message


LEGACY = {
    "a written tuple is the data": ("torch.FloatTensor((n, 1, 1))", "torch.float32 (3,)"),
    "also of torch.Tensor, with a device": ("torch.Tensor((n, 1), device='cpu')", "torch.float32 (2,)"),
    "nested tuples": ("torch.LongTensor(((n, 1), (2, 3)))", "torch.int64 (2, 2)"),
    "numbers are the shape": ("torch.FloatTensor(2, 3)", "torch.float32 (2, 3)"),
    "a variable may be a shape": ("torch.FloatTensor(torch.rand(2, 3).shape)", "..."),
}


@pytest.mark.parametrize("name", LEGACY)
def test_the_tuple_of_a_class_of_a_dtype(name: str, tmp_path: Path) -> None:
    made, shape = LEGACY[name]
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}n = 4\nx = {made}\nreveal_shape(x)\n")
    (found,) = check([path])
    assert shape in found.message
