"""einx: operators on elements, with a pattern for the axes."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck.ops import Unknown, infer
from shapecheck.spec import ShapeError, TensorSpec

ROWS = TensorSpec(("b", "n"), "float32")
VECTORS = TensorSpec(("b", "n", "d"), "float32")
INDEX = TensorSpec(("i",), "int64")
MASK = TensorSpec(("b", "n"), "bool")
OPEN = TensorSpec((..., "j"), "int64")

RESULTS: dict[str, tuple[str, tuple[Any, ...], str]] = {
    "each combination": ("einx.subtract", ("i, n -> n i", INDEX, TensorSpec((4,), "int64")), "torch.int64 (4, i)"),
    "new axes": ("einx.add", ("i, j -> 1 i 1 j", INDEX, INDEX), "torch.int64 (1, i, 1, i)"),
    "an axis of size 1 after others of unknown number": (
        "einx.add",
        ("... j, i -> ... 1 i j", OPEN, INDEX),
        "torch.int64 (..., 1, i, j)",
    ),
    "the axes of the only tensor with all axes": (
        "einx.multiply",
        ("b n d, b n", VECTORS, ROWS),
        "torch.float32 (b, n, d)",
    ),
    "a comparison": ("einx.less", ("... j, ... i -> ... i j", ROWS, ROWS), "torch.bool (b, n, n)"),
    "a number": ("einx.where", ("b n, b n d, -> b n d", MASK, VECTORS, 0.0), "torch.float32 (b, n, d)"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_the_result_has_the_axes_on_the_right(name: str) -> None:
    operator, arguments, expected = RESULTS[name]
    assert str(infer(operator, *arguments)) == expected


def test_axes_of_the_same_name_have_the_same_size() -> None:
    with pytest.raises(ShapeError, match="expected axis n to have the same size in all tensors, got 3 and 4"):
        infer("einx.add", "n d, n -> n d", TensorSpec((3, 2), "float32"), TensorSpec((4,), "float32"))


def test_a_tensor_has_the_axes_of_its_expression() -> None:
    with pytest.raises(ShapeError, match="2-D"):
        infer("einx.add", "b n, n -> b n", VECTORS, TensorSpec((4,), "float32"))


@pytest.mark.parametrize(
    "pattern", ["b n d, s d -> (b s) n d", "b [n], b n -> b n", "b n, n 1 -> b n", "b n, b n -> b n k", "b n"]
)
def test_other_patterns_are_unknown(pattern: str) -> None:
    assert isinstance(infer("einx.add", pattern, ROWS, ROWS), Unknown)
