"""Operators that make a tensor: of sizes, of numbers in a range, of Python data, of random numbers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import TensorSpec, infer
from shapecheck.ops import Unknown
from shapecheck.spec import Shape, ShapeError, axis, substitute
from tests.amount import examples
from tests.ops.laws import T, agree

B, N, D = (axis(name) for name in "bnd")
X = TensorSpec((3, 4), "float16", layout="contiguous")


def call(name: str, *args: Any, **kwargs: Any) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    return name, args, kwargs


@pytest.mark.parametrize(
    ("what", "result"),
    [
        (call("zeros", 2, 3), "torch.float32 (2, 3)"),
        (call("zeros", (2, 3)), "torch.float32 (2, 3)"),
        (call("zeros", size=(2, 3)), "torch.float32 (2, 3)"),
        (call("zeros", ()), "torch.float32 ()"),
        (call("zeros", 0), "torch.float32 (0,)"),
        (call("ones", B, 2 * N, dtype="torch.bool"), "torch.bool (b, 2*n)"),
        (call("empty", B, dtype=float), "torch.float64 (b,)"),
        (call("zeros", B, TensorSpec((), "int64")), "torch.float32 (b, ?)"),
        (call("zeros", B, Unknown()), "torch.float32 (b, ?)"),
        (call("zeros", Unknown()), "torch.float32 (...)"),
        (call("zeros", 2, dtype=Unknown()), "(2,)"),
        (call("full", (B, 1), 0.5), "torch.float32 (b, 1)"),
        (call("full", (B, 1), 5), "torch.int64 (b, 1)"),
        (call("full", (B, 1), True), "torch.bool (b, 1)"),
        (call("full", (B, 1), 1j), "torch.complex64 (b, 1)"),
        (call("full", (B, 1), N), "torch.int64 (b, 1)"),
        (call("full", (B, 1), TensorSpec((), "float64")), "torch.float32 (b, 1)"),
        (call("full", (B, 1), 5, dtype="float16"), "torch.float16 (b, 1)"),
        (call("zeros_like", X), "torch.float16 (3, 4)"),
        (call("ones_like", TensorSpec(("...", "d"), "int64")), "torch.int64 (..., d)"),
        (call("full_like", X, 5, dtype="int64"), "torch.int64 (3, 4)"),
        (call("Tensor.new_zeros", X, B, N), "torch.float16 (b, n)"),
        (call("Tensor.new_ones", X, (B, N), dtype="bool"), "torch.bool (b, n)"),
        (call("Tensor.new_full", X, (B,), 7), "torch.float16 (b,)"),
        (call("eye", N), "torch.float32 (n, n)"),
        (call("eye", N, 3), "torch.float32 (n, 3)"),
        (call("scalar_tensor", 3), "torch.float32 ()"),
    ],
)
def test_of_sizes(what: tuple[str, tuple[Any, ...], dict[str, Any]], result: str) -> None:
    name, args, kwargs = what
    made = infer(f"torch.{name}" if "." not in name else name, *args, **kwargs)
    assert str(made) == result
    assert isinstance(made, TensorSpec)
    assert made.shape.run is not None or made.layout in ("contiguous", "unknown")


@pytest.mark.parametrize(
    ("bounds", "result"),
    [
        ((5,), "torch.int64 (5,)"),
        ((5.0,), "torch.float32 (5,)"),
        ((0, 10, 3), "torch.int64 (4,)"),
        ((10, 0, -3), "torch.int64 (4,)"),
        ((0, 1, 0.25), "torch.float32 (4,)"),
        ((0, 1, 0.1), "torch.float32 (10,)"),
        ((N,), "torch.int64 (n,)"),
        ((1, N), "torch.int64 (n-1,)"),
        ((N, 2 * N), "torch.int64 (n,)"),
        ((0, N, 2), "torch.int64 ((n+1)//2,)"),
        ((0, D, 2), "torch.int64 ((d+1)//2,)"),
        ((N - 1, -1, -1), "torch.int64 (n,)"),
        ((0, N, 0.5), "torch.float32 (2*n,)"),
        ((0.5, N, 1), "torch.float32 (n,)"),
        ((0, N, 0.1), "torch.float32 (?,)"),
        ((TensorSpec((), "int64"),), "torch.int64 (?,)"),
        ((TensorSpec(()),), "(?,)"),
        ((Unknown(),), "(?,)"),
        ((0, Unknown(), 0.5), "torch.float32 (?,)"),
    ],
)
def test_a_range_has_the_ceiling_of_its_span_over_its_step(bounds: tuple[Any, ...], result: str) -> None:
    assert str(infer("torch.arange", *bounds)) == result


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(-7, 7))
@settings(max_examples=examples(200), deadline=None)
def test_a_symbolic_range_is_that_of_numbers(start: int, end: int, step: int) -> None:
    try:
        real: int | None = len(torch.arange(start, end, step))
    except RuntimeError:
        real = None
    if real is None:
        with pytest.raises(ShapeError):
            infer("arange", start, end, step)
        return
    assert infer("arange", start, end, step).dims == (real,)
    first, n = axis("first", ""), axis("n", "")
    names = infer("arange", first - 30, first - 30 + n - 50, step)
    assert substitute(names.dims[0], {first: start + 30, n: end - start + 50}) == real


@given(
    st.sampled_from((0, 0.5, -1.25, 2)),
    st.integers(1, 30),
    st.sampled_from((0.5, 0.75, 1.5, 2.0, 0.1, 1 / 3)),
)
@settings(max_examples=60, deadline=None)
def test_a_range_of_floats(start: float, end: int, step: float) -> None:
    end += 2
    real = len(torch.arange(start, end, step))
    n = axis("n", "")
    assert infer("arange", start, end, step).dims == (real,)
    symbolic = infer("arange", start, n, step).dims[0]
    assert str(symbolic) == "?" or substitute(symbolic, {n: end}) == real


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (call("zeros", 2, -1), "negative"),
        (call("zeros", -N), "negative"),
        (call("zeros", 2.0), "expected a size to be an int, got 2.0"),
        (call("zeros", X), "expected a size to be an int, got"),
        (call("zeros"), 'missing 1 required positional argument: "size"'),
        (call("full", 3, 1.0), "expected size to be a tuple of ints, got 3"),
        (call("full", (3,), "x"), 'expected a number, got "x"'),
        (call("full", (3,), X), r"expected a number, got a tensor of shape \(3, 4\)"),
        (call("eye", -1), "expected n to be non-negative, got -1"),
        (call("arange", 5, 1), "the sign of the step does not match the bounds: from 5 to 1 in steps of 1"),
        (call("arange", N + 1, N), r"the sign of the step does not match the bounds: from n\+1 to n in steps of 1"),
        (call("arange", 1, 5, 0), "expected step to be non-zero, got 0"),
        (call("arange", 3, dtype="bool"), "expected dtype to be an integer or floating-point dtype, got torch.bool"),
        (call("linspace", 0, 1, -1), "expected the number of steps to be non-negative, got -1"),
        (call("linspace", 0, 1), "missing 1 required positional argument"),
        (call("rand", 2, dtype="int64"), "dtype, got torch.int64"),
        (call("randn_like", TensorSpec((2,), "int64")), "dtype, got torch.int64"),
        (call("randint", 5, 5, (2,)), "expected low to be less than high, got 5 and 5"),
        (call("randint", 0.5, 5, (2,)), "expected low and high to be integers, got 0.5"),
        (call("multinomial", X, 5), "cannot draw 5 samples from 4 categories; pass replacement=True"),
        (
            call("multinomial", TensorSpec((2, 3, 4), "float32"), 1),
            r"expected a 1-D or 2-D input, got shape \(2, 3, 4\)",
        ),
        (call("tensor", [[1, 2], [3]]), "ragged"),
        (call("tensor", [X, X]), r"expected tensors with one element in the list, got shape \(3, 4\); use torch.stack"),
        (call("tensor", [None]), "cannot infer a dtype: expected numbers or nested lists of numbers, got None"),
        (
            call("complex", X, TensorSpec((3, 4), "float32")),
            "expected real and imag to have the same dtype, got torch.float16 and torch.float32",
        ),
        (call("polar", X, X), "expected abs to have dtype torch.float32 or torch.float64, got torch.float16"),
        (
            call("empty_strided", (2, 3), (1,)),
            r"expected size and stride to have the same length, got \(2, 3\) and \(1,\)",
        ),
    ],
)
def test_refused(what: tuple[str, tuple[Any, ...], dict[str, Any]], message: str) -> None:
    name, args, kwargs = what
    with pytest.raises(ShapeError, match=message):
        infer(f"torch.{name}", *args, **kwargs)


@pytest.mark.parametrize(
    ("data", "result"),
    [
        (1, "torch.int64 ()"),
        (1.5, "torch.float32 ()"),
        ([], "torch.float32 (0,)"),
        ([[], []], "torch.float32 (2, 0)"),
        ([1, 2, 3], "torch.int64 (3,)"),
        ([[1, 2], [3.5, 4]], "torch.float32 (2, 2)"),
        ([True, False], "torch.bool (2,)"),
        ((1, 2j), "torch.complex64 (2,)"),
        (range(4), "torch.int64 (4,)"),
        ([N, D], "torch.int64 (2,)"),
        ([TensorSpec((), "float64"), 1], "torch.float64 (2,)"),
        (X, "torch.float16 (3, 4)"),
        ([Unknown(), 2], "(2,)"),
        ([Unknown(), Unknown()], "(2, ...)"),
        (Shape((B, N)), "torch.int64 (2,)"),
    ],
)
def test_data(data: Any, result: str) -> None:
    assert str(infer("torch.tensor", data)) == result
    assert str(infer("torch.as_tensor", data)) == result
    assert str(infer("torch.tensor", data, dtype="int32")) == "torch.int32 " + result[result.index("(") :]


@pytest.mark.parametrize(
    ("args", "result"),
    [
        ((2, 3), "torch.float32 (2, 3)"),
        ((B, N), "torch.float32 (b, n)"),
        (([1, 2],), "torch.float32 (2,)"),
        ((X,), "torch.float16 (3, 4)"),
        ((), "torch.float32 (0,)"),
        (((2, 3),), "torch.float32 (...)"),  # a torch.Size gives a shape, another tuple gives data
    ],
)
def test_old_constructors(args: tuple[Any, ...], result: str) -> None:
    assert str(infer("torch.Tensor", *args)) == result
    assert str(infer("torch.FloatTensor", *args)) == result


@pytest.mark.parametrize(
    ("what", "result"),
    [
        (call("rand", B, N), "torch.float32 (b, n)"),
        (call("randn", (B, N), dtype="bfloat16"), "torch.bfloat16 (b, n)"),
        (call("randn_like", X), "torch.float16 (3, 4)"),
        (call("randint", 10, (B, N)), "torch.int64 (b, n)"),
        (call("randint", 0, N, (B,)), "torch.int64 (b,)"),
        (call("randint", low=0, high=9, size=(B,)), "torch.int64 (b,)"),
        (call("randint", 9, size=(B,), dtype="int32"), "torch.int32 (b,)"),
        (call("randint_like", X, 5), "torch.float16 (3, 4)"),
        (call("randperm", N), "torch.int64 (n,)"),
        (call("multinomial", TensorSpec(("b", "v"), "float32"), 1), "torch.int64 (b, 1)"),
        (call("multinomial", TensorSpec(("...", "v"), "float32"), 2), "torch.int64 (..., 2)"),
        (call("poisson", X), "torch.float16 (3, 4)"),
        (call("linspace", 0, 1, N), "torch.float32 (n,)"),
        (call("logspace", 0, 1j, N), "torch.complex64 (n,)"),
        (call("polar", TensorSpec(("t", 1), "float32"), TensorSpec(("d",), "float32")), "torch.complex64 (t, d)"),
        (call("quantize_per_tensor", X, 0.1, 0, "qint8"), "torch.qint8 (3, 4)"),
        (call("sparse_coo_tensor", [[0, 1], [0, 1]], [1.0, 2.0], (B, N)), "torch.float32 (b, n)"),
        (call("sparse_coo_tensor", (B, N)), "torch.float32 (b, n)"),
        (call("sparse_coo_tensor", size=(B, N), dtype="float64"), "torch.float64 (b, n)"),
    ],
)
def test_drawn_spaced_and_converted(what: tuple[str, tuple[Any, ...], dict[str, Any]], result: str) -> None:
    name, args, kwargs = what
    assert str(infer(f"torch.{name}", *args, **kwargs)) == result


def test_layouts() -> None:
    transposed = TensorSpec((3, 4), "float32", "non-contiguous", strides=(1, 3))
    assert infer("torch.zeros_like", transposed).strides == (1, 3)
    assert infer("torch.empty", (2, 3, 4, 5), memory_format="torch.channels_last").layout == "channels_last"
    assert infer("torch.empty_strided", (2, 3), (3, 1)).layout == "contiguous"
    assert infer("torch.empty_strided", (2, 3), (1, 2)).strides == (1, 2)
    assert infer("torch.empty_permuted", (2, 3, 4), (0, 2, 1)).strides == (12, 1, 3)
    assert infer("torch.zeros", 2, device="cuda").device == "cuda"


@given(st.integers(1, 6), st.integers(1, 6))
@settings(max_examples=15, deadline=None)
def test_agrees_with_torch(m: int, n: int) -> None:
    sizes = {"m": m, "n": n}
    agree("eye", torch.eye, lambda m, n: (m, n), sizes)
    agree("linspace", torch.linspace, lambda m, n: (0, 1, m + n), sizes)
    agree("Tensor.new_zeros", torch.Tensor.new_zeros, lambda m, n: (T(n), m, 2 * n), sizes)
    agree("zeros_like", torch.zeros_like, lambda m, n: (T(n, m), {}), sizes)
    agree("randint", torch.randint, lambda m, n: (5, (m, n)), sizes)
