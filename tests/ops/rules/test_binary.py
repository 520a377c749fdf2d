"""Operators on two values: shapes broadcast, dtypes promote, and in place the first one must hold the result."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import TensorSpec, infer
from shapecheck.ops import UNKNOWN, Unknown
from shapecheck.spec import CallError, DTypeError, ShapeError, axis
from tests.amount import examples
from tests.conformance.oracle import difference, false_layout
from tests.conformance.specs import tensor_spec
from tests.ops.laws import T, agree


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype, layout="contiguous")


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("torch.add", (spec("b", "t", "d"), spec("d")), spec("b", "t", "d")),
        ("+", (spec("b", 1, "d"), spec("t", 1)), spec("b", "t", "d")),
        ("-", (spec("n"), spec("n", 1)), spec("n", "n")),
        ("*", (spec("b", "t"), axis("d")), spec("b", "t")),
        ("*", (spec("b", dtype="int64"), axis("d")), spec("b", dtype="int64")),
        ("*", (spec("b", dtype="int64"), 0.5), spec("b")),
        ("/", (spec("b", dtype="int64"), 2), spec("b")),
        ("//", (spec("b", dtype="int64"), 2), spec("b", dtype="int64")),
        ("torch.div", (spec("b", dtype="int64"), 2), spec("b")),
        ("**", (2, spec("b", dtype="int64")), spec("b", dtype="int64")),
        ("Tensor.__rsub__", (spec("b"), 1), spec("b")),
        ("Tensor.__rtruediv__", (spec("b", dtype="int64"), 1), spec("b")),
        ("float_power", (spec("b"), 2), spec("b", dtype="float64")),
        ("float_power", (spec("b", dtype="complex64"), 2), spec("b", dtype="complex128")),
        ("torch.maximum", (spec("b", dtype="int64"), spec(dtype="float32")), spec("b")),
        ("==", (spec("b"), spec("b", dtype="int64")), spec("b", dtype="bool")),
        ("<", (3, spec("b")), spec("b", dtype="bool")),
        ("torch.greater", (spec("b"), 0), spec("b", dtype="bool")),
        ("torch.logical_and", (spec("b"), spec("b", dtype=None)), spec("b", dtype="bool")),
        ("&", (spec("b", "t", dtype="bool"), spec("t", dtype="bool")), spec("b", "t", dtype="bool")),
        ("torch.atan2", (spec("b", dtype="int64"), spec("b", dtype="int64")), spec("b")),
        ("torch.special.zeta", (1, spec("b")), spec("b")),
        ("isin", (spec("b", "t"), spec("n")), spec("b", "t", dtype="bool")),
        ("torch.isclose", (spec("b", "t"), spec("t")), spec("b", "t", dtype="bool")),
        ("mul", (spec("b", dtype="bfloat16"), spec("b")), spec("b")),
        ("mul", (spec("b", dtype=None), spec("b")), spec("b", dtype=None)),
        ("mul", (spec("b", dtype="float64"), 1j), spec("b", dtype="complex128")),
        ("Tensor.add_", (spec("b", "t"), spec("t")), spec("b", "t")),
        ("Tensor.mul_", (spec("b", dtype="float16"), spec("b")), spec("b", dtype="float16")),
        ("Tensor.eq_", (spec("b"), 1), spec("b")),
    ],
)
def test_results(name: str, args: tuple[Any, ...], result: TensorSpec) -> None:
    assert infer(name, *args) == result


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("add", (spec(2, 3), spec(2, 4)), "add: cannot broadcast (2, 3) and (2, 4): 3 != 4 in dimension -1"),
        ("*", (spec("b", "c"), spec("b", "d")), "cannot broadcast (b, c) and (b, d): c != d in dimension -1"),
        ("Tensor.add_", (spec(3), spec(2, 3)), "the result is (2, 3), but the tensor changed in place is (3,)"),
        ("Tensor.add_", (spec(2, 1), spec(2, 3)), "the result is (2, 3), but the tensor changed in place is (2, 1)"),
    ],
)
def test_shapes_that_are_refused(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        (
            "-",
            (spec("b", dtype="bool"), spec("b")),
            "cannot subtract bool tensors; use ^ or logical_xor, or ~ to invert a mask",
        ),
        ("1 - mask", (), ""),
        (
            "Tensor.div_",
            (spec("b", dtype="int64"), 2),
            "cannot write a result of dtype torch.float32 in place into a tensor of dtype torch.int64",
        ),
        (
            "Tensor.add_",
            (spec("b", dtype="int64"), 0.5),
            "cannot write a result of dtype torch.float32 in place into a tensor of dtype torch.int64",
        ),
        (
            "Tensor.add_",
            (spec("b", dtype="bool"), 1),
            "cannot write a result of dtype torch.int64 in place into a tensor of dtype torch.bool",
        ),
        (
            "Tensor.mul_",
            (spec("b"), spec("b", dtype="complex64")),
            "cannot write a result of dtype torch.complex64 in place into a tensor of dtype torch.float32",
        ),
        ("float_power_", (spec("b"), 2), "expected an input of dtype torch.float64, got torch.float32"),
        ("&", (spec("b"), spec("b")), "expected a bool or integer dtype, got torch.float32"),
        ("<", (spec("b", dtype="complex64"), spec("b")), "floating-point dtype, got torch.complex64"),
        ("hypot", (spec("b", dtype="int64"),) * 2, "expected a floating-point dtype, got torch.int64"),
        ("pow", (spec("b", dtype="int64"), -1), "cannot raise an integer to a negative power: torch.int64 ** -1"),
        (
            "isclose",
            (spec("b"), spec("b", dtype="float64")),
            "expected input and other to have the same dtype, got torch.float32 and torch.float64",
        ),
        (
            "heaviside",
            (spec("b"), spec("b", dtype="int64")),
            "expected input and values to have the same dtype, got torch.float32 and torch.int64",
        ),
    ],
)
def test_dtypes_that_are_refused(name: str, args: tuple[Any, ...], message: str) -> None:
    if name == "1 - mask":
        name, args = "Tensor.__rsub__", (spec("b", dtype="bool"), 1)
    with pytest.raises(DTypeError) as refused:
        infer(name, *args)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("torch.maximum", (spec("b"), 0), "expected both operands to be tensors, got a tensor of shape (b,) and 0"),
        ("torch.fmod", (2, spec("b")), "expected input to be a tensor, got 2 and a tensor of shape (b,)"),
        ("torch.bitwise_and", (1, 2), "expected at least one operand to be a tensor, got 1 and 2"),
        ("add", (spec("b"), None), "expected a tensor or a number, got None"),
        ("div", (spec("b"), spec("b"), "floor"), "takes 2 positional arguments but 3 were given"),
        ("allclose", (spec("b"), spec("b"), -1.0), "expected rtol and atol to be at least 0, got -1.0"),
    ],
)
def test_arguments_that_are_refused(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(CallError) as refused:
        infer(name, *args)
    assert message in str(refused.value)


def test_rounding_keeps_the_integers() -> None:
    counts = spec("b", dtype="int64")
    assert infer("div", counts, 2, rounding_mode="floor") == counts
    assert infer("Tensor.div_", counts, 2, rounding_mode="trunc") == counts
    with pytest.raises(CallError, match='expected rounding_mode to be None, "trunc" or "floor", got "up"'):
        infer("div", counts, 2, rounding_mode="up")


def test_partly_known_shapes() -> None:
    hidden = TensorSpec((..., 128), "float32")
    assert str(infer("+", hidden, spec(128))) == "torch.float32 (..., 128)"
    assert str(infer("+", hidden, 1.0)) == "torch.float32 (..., 128)"
    with pytest.raises(ShapeError, match="128 != 64 in dimension -1"):
        infer("+", hidden, spec(64))


def test_an_unknown_operand_may_be_anything() -> None:
    assert infer("*", spec(3, 4), UNKNOWN).shape.at(-1) == 4
    assert infer("Tensor.mul_", spec(3, 4), UNKNOWN) == spec(3, 4)
    assert infer("==", spec(3), None) == UNKNOWN
    assert infer("add", spec(3), 2, alpha=UNKNOWN) == spec(3)


def test_whether_two_tensors_are_equal_hangs_on_their_values_unless_their_shapes_differ() -> None:
    assert infer("torch.equal", spec(3), spec(4)) is False
    assert isinstance(infer("torch.equal", spec("b"), spec("b")), Unknown)
    assert isinstance(infer("torch.allclose", spec("b"), spec("b")), Unknown)


NAMES = ("add", "sub", "mul", "div", "floor_divide", "pow", "eq", "lt", "maximum", "logical_or", "bitwise_and", "fmod")
DTYPES = (torch.bool, torch.uint8, torch.int64, torch.float16, torch.float32, torch.complex64)


@st.composite
def tensors(draw: st.DrawFn) -> torch.Tensor:
    """A small tensor, dense in any order of its axes, or with gaps."""
    dims = draw(st.lists(st.sampled_from([1, 2, 3, 3]), max_size=4))
    order = draw(st.permutations(range(len(dims))))
    made = torch.ones([dims[index] for index in order], dtype=draw(st.sampled_from(DTYPES)))
    made = made.permute([order.index(index) for index in range(len(dims))])
    return made[..., ::2] if dims and draw(st.integers(0, 5)) == 0 else made


@pytest.mark.filterwarnings("ignore")  # of what torch finds experimental
@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(NAMES), tensors(), tensors() | st.sampled_from([True, 2, 0.5]), st.booleans())
def test_whatever_torch_says(name: str, left: torch.Tensor, right: Any, in_place: bool) -> None:
    in_place = in_place and hasattr(torch.Tensor, name + "_")
    function: Any = getattr(torch.Tensor, name + "_") if in_place else getattr(torch, name)
    other = tensor_spec(right) if isinstance(right, torch.Tensor) else right
    try:
        real = function(left.clone() if in_place else left, right)
    except NotImplementedError:
        return  # a kernel that this build lacks
    except (RuntimeError, TypeError) as error:
        if "not implemented for" in str(error):
            return  # one that torch 2.4 lacks
        with pytest.raises(ShapeError):
            infer(name + "_" * in_place, tensor_spec(left), other)
        return
    result = infer(name + "_" * in_place, tensor_spec(left), other)
    assert difference(result, real, False) == ("exact", "")
    assert in_place or not false_layout(result, real)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(("add", "mul", "gt", "atan2")), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_symbolic_sizes_agree(name: str, b: int, t: int, d: int) -> None:
    agree(name, getattr(torch, name), lambda b, t, d: (T(b, t, d), T(t, 1)), {"b": b, "t": t, "d": d})
    agree(name, getattr(torch, name), lambda b, t, d: (T(b, 1, d), T(t, d)), {"b": b, "t": t, "d": d})
    agree(name, getattr(torch, name), lambda b, t, d: (T(b, t), T(b, d)), {"b": b, "t": t, "d": d})


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_result_has_the_strides_of_a_dense_first_operand(rows: int) -> None:
    """Also if its sizes are partly unknown, and the other operand is expanded."""
    dense = torch.rand(rows, 5).t()
    other = torch.rand(1, rows).expand(5, rows)
    n = axis("n")
    first = TensorSpec((5, n), "float32", "unknown", strides=(1, 5))
    result = infer("+", first, TensorSpec((5, n), "float32", "unknown"))
    assert isinstance(result, TensorSpec)
    assert result.strides == (dense + other).stride() == (1, 5)
