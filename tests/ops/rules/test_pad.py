"""Padding in all its modes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from shapecheck import CallError, ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree


def f32(*dims: Any) -> TensorSpec:
    return TensorSpec(dims, "float32")


IMAGE = f32("b", 3, "h", "w")

SIZES = [
    ((IMAGE, (1, 2)), "(b, 3, h, w+3)"),
    ((IMAGE, (1, 1, 2, 2)), "(b, 3, h+4, w+2)"),
    ((IMAGE, (0, 0, 0, 0, 1, 0)), "(b, 4, h, w)"),
    ((IMAGE, ()), "(b, 3, h, w)"),
    ((IMAGE, (-1, -1)), "(b, 3, h, w-2)"),
    ((IMAGE, (0, (-IMAGE.dims[3]) % 8)), "(b, 3, h, w+(-w)%8)"),
    ((IMAGE, (1, 1, 1, 1), "reflect"), "(b, 3, h+2, w+2)"),
    ((f32("c", "l"), (3, 3), "replicate"), "(c, l+6)"),
    ((f32("b", "c", "l"), (1, 0), "circular"), "(b, c, l+1)"),
    ((f32(..., "w"), (1, 1)), "(..., w+2)"),
    ((f32(...), (1, 1)), "(..., ?)"),
]


@pytest.mark.parametrize(("arguments", "shown"), SIZES)
def test_sizes(arguments: Any, shown: str) -> None:
    assert str(infer("F.pad", *arguments).shape) == shown


REFUSALS = [
    ((IMAGE, 1), CallError, "a tuple of ints"),
    ((IMAGE, (1, 1, 1)), CallError, r"expected pad to have an even number of elements, got \(1, 1, 1\)"),
    ((f32(4), (1, 1, 1, 1)), ShapeError, r"expected pad to have at most 2 elements \(input of shape \(4,\)\), got 4"),
    (
        (f32(2, 4), (-2, -3)),
        ShapeError,
        r"pads -2 and -3 reduce a dimension of size 4 to -1 \(input of shape \(2, 4\)\)",
    ),
    ((f32(2, 1), (2, -2)), ShapeError, r"pads \(2, -2\) remove more than the size 1 of dimension -1 of \(2, 1\)"),
    (
        (IMAGE, (1, 1), "mirror"),
        CallError,
        'expected mode to be one of "constant", "reflect", "replicate", "circular", got "mirror"',
    ),
    ((IMAGE, (1, 1), "reflect"), ShapeError, r"expected a 2-D or 3-D input, got shape \(b, 3, h, w\)"),
    (
        (f32(2, 3, 4), (4, 0), "reflect"),
        ShapeError,
        "expected pads less than the input's size 4 in dimension -1 for mode=",
    ),
    ((f32(2, 3, 4), (5, 0), "circular"), ShapeError, "at most the input's size"),
    ((f32(2, 3, 4), (1, 1), "reflect", 1.0), CallError, 'value cannot be used with mode="reflect", got 1.0'),
]


@pytest.mark.parametrize(("arguments", "error", "message"), REFUSALS)
def test_refusals(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        infer("F.pad", *arguments)


@given(
    st.sampled_from(["constant", "reflect", "replicate"]),
    st.lists(st.integers(1, 6), min_size=1, max_size=3),
    st.lists(st.integers(-2, 3), min_size=6, max_size=6),
)
def test_pads_agree_with_torch(mode: str, sizes: list[int], pads: list[int]) -> None:
    def call(b: Any, c: Any, **size: Any) -> Any:
        return (T(b, c, *size.values()), tuple(pads[: 2 * len(sizes)]), mode)

    agree("F.pad", F.pad, call, {"b": 2, "c": 3} | {f"s{i}": size for i, size in enumerate(sizes)})


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), ("n",)], ids=str)
def test_an_integer_tensor_of_one_element_is_a_size(shape: tuple[Any, ...]) -> None:
    size = TensorSpec(shape, "int64")
    assert infer("F.pad", TensorSpec((2, 3), "float32"), [size, 0]).rank == 2
    assert F.pad(torch.zeros(2, 3), [torch.ones(1, 1, dtype=torch.int64), 0]).shape == (2, 4)


@pytest.mark.parametrize("size", [TensorSpec((2,), "int64"), TensorSpec((1,), "float32")], ids=str)
def test_another_tensor_is_no_size(size: TensorSpec) -> None:
    with pytest.raises(ShapeError, match="expected a size to be an int"):
        infer("F.pad", TensorSpec((2, 3), "float32"), [size, 0])
