"""`shapecheck.infer`, whatever is given to it: an answer, a clear refusal, or Unknown with its reason; quickly."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import shapecheck
from shapecheck import UNKNOWN, CallError, DTypeError, LayoutError, ModuleSpec, ShapeError, TensorSpec, Unknown, infer
from shapecheck.ops import assuming
from shapecheck.spec import Dim, as_dtype, axis
from tests.steps import steps


def f32(*dims: Any, **more: Any) -> TensorSpec:
    return TensorSpec(dims, "float32", **more)


ANSWERS = [
    (infer, ("torch.matmul", f32("b", 3), f32(3, 5)), "torch.float32 (b, 5)"),
    (infer, ("F.linear", f32(..., 256), f32(10, 256)), "torch.float32 (..., 10)"),
    (infer, ("torch.nn.functional.conv2d", f32(8, 3, 32, 32), f32(16, 3, 3, 3)), "torch.float32 (8, 16, 30, 30)"),
    (infer, ("-", f32("n"), f32("n", 1)), "torch.float32 (n, n)"),
    (infer, ("+", f32("n", 3), UNKNOWN), "(..., ?, 3)"),
]


@pytest.mark.parametrize(("function", "arguments", "shown"), ANSWERS)
def test_an_answer(function: Any, arguments: tuple[Any, ...], shown: str) -> None:
    assert str(function(*arguments)) == shown


REFUSALS = [
    (
        ("F.linear", f32(8, 128), f32(10, 256)),
        ShapeError,
        "linear: expected the last dimension of the input to be 256, got 128 (weight of shape (10, 256))",
    ),
    (
        ("F.linear", f32(8, 256)),
        CallError,
        'linear: missing 1 required positional argument: "weight"',
    ),
    (
        ("F.linear", f32(8, 256), f32(10, 256), None, 1),
        CallError,
        "linear: takes from 2 to 3 positional arguments but 4 were given",
    ),
    (("F.linear", 3, f32(10, 256)), CallError, "linear: expected input to be a tensor, got 3"),
    (
        ("F.linear", TensorSpec((8, 256), "float64"), f32(10, 256)),
        DTypeError,
        "linear: expected input and weight to have the same dtype, got torch.float64 and torch.float32",
    ),
]


@pytest.mark.parametrize(("arguments", "kind", "message"), REFUSALS)
def test_a_refusal_says_what_where_and_what_would_fit(arguments: Any, kind: type[ShapeError], message: str) -> None:
    with pytest.raises(kind) as refused:
        infer(*arguments)
    assert str(refused.value) == message


def test_two_axis_names_of_one_signature_are_different_sizes() -> None:
    with pytest.raises(ShapeError, match="matmul"):
        infer("torch.matmul", f32("b", "c"), f32("d", "e"))


def test_a_name_that_meets_a_constant_learns_it_and_the_caller_can_know() -> None:
    with assuming() as assumed:
        assert str(infer("F.linear", f32("b", "features"), f32(1, 3))) == "torch.float32 (b, 1)"
    (only,) = assumed
    assert (str(only.left), only.right) == ("features", 3)


def test_a_view_of_a_transposed_tensor_says_why_it_fails() -> None:
    transposed = infer("transpose", f32("b", "t", "d", layout="contiguous"), 1, 2)
    with pytest.raises(LayoutError, match="contiguous"):
        infer("Tensor.view", transposed, axis("b"), -1)
    assert infer("torch.reshape", transposed, (axis("b"), -1)).layout == "contiguous"


def test_a_layer_is_called_itself_or_through_infer() -> None:
    layer = infer("nn.Linear", 128, 64)
    assert isinstance(layer, ModuleSpec)
    assert layer(f32("b", 128)) == infer(layer, f32("b", 128))
    assert layer.weight.shape == (64, 128)
    with pytest.raises(ShapeError, match="Linear: expected the last dimension of the input to be 128, got 100"):
        layer(f32("b", 100))


def test_a_layer_cast_to_another_dtype_wants_that_dtype() -> None:
    layer = infer("nn.Linear", 4, 2).cast(as_dtype("bfloat16"))
    assert layer(TensorSpec(("b", 4), "bfloat16")).dtype == as_dtype("bfloat16")
    with pytest.raises(DTypeError):
        layer(f32("b", 4))


@pytest.mark.parametrize("name", ["view", "reshape", "expand", "repeat", "tile", "permute"])
def test_one_unknown_size_may_be_a_whole_shape(name: str) -> None:
    answer = infer(f"Tensor.{name}", f32(2, 3), UNKNOWN)
    assert answer == UNKNOWN or answer.rank is None


def test_out_only_says_where_the_result_goes() -> None:
    assert infer("torch.add", f32(2), f32(2), out=f32(2)).shape == (2,)


@pytest.mark.parametrize("name", ["torch.matmull", "numpy.dot", "", "x" * 100_000, "torch." * 10_000])
def test_an_unknown_operator_is_unknown(name: str) -> None:
    answer = infer(name, f32(2))
    assert answer == UNKNOWN
    assert not answer
    assert "no rule" in repr(answer)


def test_a_slip_of_the_pen_is_named() -> None:
    assert 'did you mean "matmul"' in infer("torch.matmull").reason


SUM = " + ".join(f"n{i}" for i in range(1_000))
PRODUCT = "*".join(f"(n{i} + 1)" for i in range(60))
ODD: list[tuple[Any, ...]] = [
    ("torch.add",),
    ("torch.add", None, None),
    ("torch.add", object(), object()),
    ("torch.add", f32(2), "three"),
    ("torch.cat", 5),
    ("torch.cat", [f32(2), None]),
    ("torch.cat", []),
    ("torch.sum", f32(2), "dim"),
    ("torch.sum", f32(2), 1e300),
    ("torch.sum", f32(2), 10**30),
    ("torch.reshape", f32(2), (-5,)),
    ("torch.reshape", f32(2), ("x",)),
    ("torch.zeros", -1),
    ("torch.zeros", (2, -3)),
    ("torch.transpose", f32(2, 3), 0),
    ("torch.transpose", f32(2, 3), 0, 7),
    ("Tensor.view", f32(2, 3), -1, -1),
    ("F.conv2d", f32(1, 3, 8, 8), f32(4, 3, 3, 3), None, 0),
    ("F.conv2d", f32(1, 3, 8, 8), f32(4, 3, 3, 3), None, "big"),
    ("F.conv2d", f32(1, 3, 8, 8), f32(4, 3, 3, 3), None, (1, 2, 3)),
    ("nn.Linear", "a", "b"),
    ("nn.Linear", -1, 4),
    ("nn.Conv2d", 6, 10, 3, 1, 0, 1, 4),
    ("torch.einsum", "ij,jk->", f32(2, 3)),
    ("torch.einsum", "((((", f32(2, 3)),
    ("einops.rearrange", f32(2, 3), "a b -> (a b) c"),
    ("einops.rearrange", f32(2, 3), "((((((a b) ->"),
    ("torch.unsqueeze", f32(2), None),
    ("torch.add", f32(*range(1, 5_001)), f32(*range(1, 5_001))),
    ("torch.matmul", f32(*([1] * 10_000)), f32(*([1] * 10_000))),
    ("torch.permute", f32(*([2] * 10_000)), tuple(range(10_000))),
    ("torch.flatten", f32(*(f"n{i}" for i in range(10_000)))),
    ("torch.sum", f32(*([2] * 10_000)), tuple(range(10_000))),
    ("Tensor.view", f32(*([2] * 10_000)), -1),
    ("torch.squeeze", f32(*([1] * 10_000))),
    ("Tensor.__getitem__", f32(*([2] * 10_000)), (slice(None),) * 10_000),
    ("F.linear", f32("b", SUM), f32(10, SUM)),
    ("torch.add", f32(SUM), f32(f"{SUM} + 1")),
    ("torch.add", f32(PRODUCT), f32("m")),
    ("torch.reshape", f32(SUM, SUM), (-1,)),
    ("F.max_pool2d", f32(1, 1, SUM, SUM), 2),
    ("torch.cat", [f32(f"n{i}") for i in range(1_000)]),
]


@pytest.mark.parametrize("arguments", ODD, ids=lambda arguments: arguments[0])
def test_odd_input_gets_an_answer_at_once(arguments: tuple[Any, ...]) -> None:
    """In less than a hundred calls for each of ten thousand axes: a quadratic rule makes a hundred times as many."""
    assert steps(lambda: _check_answer(arguments)) < 1_000_000


def _check_answer(arguments: tuple[Any, ...]) -> None:
    try:
        answer = infer(*arguments)
    except ShapeError as refused:
        message = str(refused)
        assert len(message) < 20_000
        assert "Traceback" not in message
    else:
        # An answer is a spec, a layer, or Unknown with a reason that is no accident inside a rule.
        assert isinstance(answer, (TensorSpec, Unknown, ModuleSpec, tuple, list, Dim))
        if isinstance(answer, Unknown):
            assert "Error:" not in answer.reason, answer.reason


@pytest.mark.parametrize(
    "make",
    [
        lambda: TensorSpec((-1,)),
        lambda: TensorSpec((2.5,)),
        lambda: TensorSpec((2,), "float33"),
        lambda: TensorSpec((2,), layout="odd"),
        lambda: TensorSpec(("a +",)),
        lambda: TensorSpec((..., 3, ...)),
        lambda: TensorSpec(None),
    ],
)
def test_a_spec_that_cannot_be_is_refused(make: Any) -> None:
    with pytest.raises(ShapeError):
        make()


def test_the_public_names_are_loaded_when_asked_for() -> None:
    loaded = "print('shapecheck.ops' in sys.modules, 'torch' in sys.modules)"
    code = f"import sys, shapecheck; {loaded}; shapecheck.infer; {loaded}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True", "False"]


def test_a_public_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="no attribute 'inferr'"):
        shapecheck.inferr  # type: ignore[attr-defined]  # noqa: B018
