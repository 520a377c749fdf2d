"""sum, mean, all, amax and their kin: which axes go, what is left, and of which dtype."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops.unknown import UNKNOWN
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
OPEN = TensorSpec(("*batch", "t", "d"), "float32")
INTS = TensorSpec((2, 3), "int32")


@pytest.mark.parametrize(
    ("x", "args", "result"),
    [
        (X, {}, "torch.float32 ()"),
        (X, {"dim": -1}, "torch.float32 (b, t)"),
        (X, {"dim": 0, "keepdim": True}, "torch.float32 (1, t, d)"),
        (X, {"dim": (0, -1)}, "torch.float32 (t,)"),
        (X, {"dim": [0, 1], "keepdim": True}, "torch.float32 (1, 1, d)"),
        (X, {"dim": ()}, "torch.float32 ()"),  # none given is all of them
        (X, {"dim": None, "keepdim": True}, "torch.float32 (1, 1, 1)"),
        (X, {"axis": 1, "keepdims": True}, "torch.float32 (b, 1, d)"),  # NumPy's words, which torch takes too
        (OPEN, {"dim": -1}, "torch.float32 (*batch, t)"),
        (OPEN, {"dim": (-2, -1)}, "torch.float32 (*batch,)"),
        (OPEN, {"dim": -2, "keepdim": True}, "torch.float32 (*batch, 1, d)"),
        (OPEN, {}, "torch.float32 ()"),
        (TensorSpec(("b", ..., "d")), {"dim": (0, -1)}, "(...)"),
        (TensorSpec(()), {"dim": -1}, "()"),
        (X, {"dim": TensorSpec((), "int64")}, "an unknown value"),  # torch takes it as a number
        (TensorSpec((3, 0)), {"dim": 1}, "(3,)"),
        (UNKNOWN, {"dim": -1}, "(...)"),
        (INTS, {"dim": 0}, "torch.int64 (3,)"),
        (TensorSpec((2, 3), "bool"), {}, "torch.int64 ()"),
        (INTS, {"dtype": "float16"}, "torch.float16 ()"),
        (X, {"dtype": UNKNOWN}, "()"),
    ],
)
def test_sum(x: Any, args: Any, result: str) -> None:
    assert str(infer("torch.sum", x, **args)) == result


def test_without_a_batch_the_first_axis_is_another_one() -> None:
    assert str(infer("torch.sum", OPEN, 0)) != "torch.float32 (*batch, t, d)"


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("Tensor.mean", (X, 1), "torch.float32 (b, d)"),
        ("torch.mean", (X, (1, 2), True), "torch.float32 (b, 1, 1)"),
        ("aten.mean.dim", (X, [-1], True), "torch.float32 (b, t, 1)"),
        ("torch.nanmean", (X, -1), "torch.float32 (b, t)"),
        ("torch.nansum", (X, -1), "torch.float32 (b, t)"),
        ("torch.prod", (INTS, 0), "torch.int64 (3,)"),
        ("torch.all", (X, -1), "torch.bool (b, t)"),
        ("Tensor.any", (INTS,), "torch.bool ()"),
        ("torch.any", (TensorSpec((2, 3), "uint8"), 0), "torch.uint8 (3,)"),
        ("torch.all", (X, ()), "torch.bool (b, t, d)"),  # here, none is none
        ("torch.amax", (INTS, (0, 1)), "torch.int32 ()"),
        ("torch.amin", (X, -1, True), "torch.float32 (b, t, 1)"),
        ("torch.count_nonzero", (X, 0), "torch.int64 (t, d)"),
        ("torch.logsumexp", (X, -1), "torch.float32 (b, t)"),
        ("torch.logsumexp", (INTS, 0), "torch.float32 (3,)"),
    ],
)
def test_its_kin(name: str, args: Any, result: str) -> None:
    assert str(infer(name, *args)) == result


def test_aminmax_has_names() -> None:
    found = infer("torch.aminmax", X, dim=-1)
    assert str(found.min) == str(found.max) == "torch.float32 (b, t)"


def test_the_product_of_sizes() -> None:
    assert infer("math.prod", (2, *X.dims[1:])) == 2 * X.dims[1] * X.dims[2]


def test_the_result_is_contiguous_whatever_the_input() -> None:
    turned = infer("Tensor.transpose", X, 1, 2)
    assert turned.layout == "non-contiguous"
    assert infer("Tensor.sum", turned, 0).layout == "contiguous"


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("sum", (X, 3), "sum: dim out of range: expected -3 to 2, got 3"),
        ("sum", (X, (0, -3)), "sum: dim 0 appears twice in (0, -3)"),
        ("sum", (OPEN, (-1, -1)), "sum: a dim appears twice in (-1, -1)"),
        ("sum", (X, 0, 1), "sum: expected keepdim to be a bool, got 1; pass several dimensions as a tuple: dim=(0, 1)"),
        ("sum", ([1, 2],), "sum: expected the input to be a tensor, got [1, 2]"),
        ("sum", (TensorSpec((1,) * 65), 0), "sum: expected at most 64 dimensions, got 65"),
        (
            "mean",
            (INTS,),
            "mean: expected the input to be floating-point or complex, got torch.int32; pass dtype=torch.float32",
        ),
        ("prod", (X, (0, 1)), "prod: expected dim to be an int, got (0, 1)"),
        (
            "amin",
            (TensorSpec((3, 0)), 1),
            "amin: expected at least one element along dim 1 for the extremum, got shape (3, 0)",
        ),
        (
            "amax",
            (TensorSpec((3,), "complex64"),),
            "amax: expected a bool, integer or floating-point dtype, got torch.complex64",
        ),
    ],
)
def test_refusals(name: str, args: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert str(refused.value) == message


def dim_of(draw: st.DataObject, rank: int) -> Any:
    one = st.integers(-rank, rank - 1)
    return draw.draw(st.one_of(st.none(), one, st.lists(one, max_size=2).map(tuple)))


@given(data=st.data(), b=st.integers(0, 3), t=st.integers(1, 3), d=st.integers(1, 3), keepdim=st.booleans())
@settings(max_examples=60, deadline=None)
def test_symbols_numbers_and_torch_agree(data: st.DataObject, b: int, t: int, d: int, keepdim: bool) -> None:
    name = data.draw(st.sampled_from(["sum", "mean", "nansum", "all", "any", "amax", "amin"]))
    dim = dim_of(data, 3)
    function = getattr(torch, name)
    sizes = {"b": b or 1, "t": t, "d": d} if name.startswith("am") else {"b": b, "t": t, "d": d}
    dim = () if dim is None and name.startswith("am") else dim
    agree(name, function, lambda b, t, d: (T(b, t, d), {"dim": dim, "keepdim": keepdim}), sizes)
