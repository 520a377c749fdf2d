"""item(), float(), int() and the truth value: for tensors of one element, which a shape may leave open."""

from __future__ import annotations

import pytest
import torch

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops import Unknown

CONVERSIONS = ("item", "__float__", "__int__", "__bool__")
MAY_HAVE_ONE = ((), (1,), (1, 1), ("n",), ("n", 1), ("n", "m"), ("...",), ("...", 1), (1, "..."))
NEVER_HAVE_ONE = ((2,), (3, 4), (0,), ("n", 4), ("2*n",), ("n", "m + 2"), ("...", 4), (3, "..."), ("...", "n", 2))


@pytest.mark.parametrize("name", CONVERSIONS)
@pytest.mark.parametrize("sizes", MAY_HAVE_ONE, ids=str)
def test_a_tensor_that_may_have_one_element_is_converted(name: str, sizes: tuple[int | str, ...]) -> None:
    assert isinstance(infer(f"Tensor.{name}", TensorSpec(sizes, "float32")), Unknown)


@pytest.mark.parametrize("name", CONVERSIONS)
@pytest.mark.parametrize("sizes", NEVER_HAVE_ONE, ids=str)
def test_a_tensor_that_never_has_one_element_is_refused(name: str, sizes: tuple[int | str, ...]) -> None:
    with pytest.raises(ShapeError):
        infer(f"Tensor.{name}", TensorSpec(sizes, "float32"))


@pytest.mark.parametrize("convert", [torch.Tensor.item, bool, float, int])
@pytest.mark.parametrize("sizes", [(2,), (3, 4)], ids=str)
def test_torch_refuses_it_too(convert: object, sizes: tuple[int, ...]) -> None:
    assert callable(convert)
    with pytest.raises((RuntimeError, ValueError, TypeError)):
        convert(torch.zeros(sizes))


def test_the_message_of_a_truth_value_says_what_to_use() -> None:
    with pytest.raises(
        ShapeError, match=r"truth value of a tensor of 12 elements is ambiguous, use any\(\) or all\(\)"
    ):
        infer("Tensor.__bool__", TensorSpec((3, 4), "bool"))
