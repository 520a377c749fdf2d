"""view, reshape and the other views as specifications: what they give, and what they say where torch refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import UNKNOWN, Unknown, assuming, infer
from shapecheck.spec import (
    CallError,
    DTypeError,
    LayoutError,
    Shape,
    ShapeError,
    TensorSpec,
    axis,
    minimum,
    quotient,
    unknown,
)
from tests.ops.laws import T, agree

b, t, d, h, c, n = (axis(name) for name in "btdhcn")
N = unknown("n", low=0)


def x(*dims: Any, dtype: str = "float32", layout: Any = "contiguous") -> TensorSpec:
    return TensorSpec(dims, dtype, layout)


def heads() -> TensorSpec:
    """(b, t, d) in heads, transposed as attention has it: (b, h, t, d//h)."""
    return infer("Tensor.transpose", infer("Tensor.view", x("b", "t", "d"), b, t, h, d // h), 1, 2)


@pytest.mark.parametrize(
    ("name", "args", "shape"),
    [
        ("Tensor.view", (x("b", "t", "d"), b, t, h, -1), (b, t, h, quotient(d, h))),
        ("Tensor.view", (x("b", "t", "d"), (b, -1)), (b, t * d)),
        ("Tensor.view", (x(2, 3, "d"), 6, -1), (6, d)),
        ("Tensor.view", (x(0, 3), -1, 3), (0, 3)),
        ("torch.reshape", (x("b", "t", "d"), (-1, d)), (b * t, d)),
        ("torch.flatten", (x("b", "c", "h", "w"), 1), (b, c * h * axis("w"))),
        ("torch.flatten", (x(),), (1,)),
        ("torch.ravel", (x("b", "t"),), (b * t,)),
        ("Tensor.unflatten", (x("b", "t", "d"), -1, (h, -1)), (b, t, h, quotient(d, h))),
        ("Tensor.squeeze", (x("b", 1, "d"), 1), (b, d)),
        ("Tensor.squeeze", (x(1, 3, 1),), (3,)),
        ("Tensor.squeeze", (x(1, 3, 1), (0, 1)), (3, 1)),
        ("Tensor.unsqueeze", (x("b", "t"), -1), (b, t, 1)),
        ("Tensor.unsqueeze_", (x("b", "t"), 0), (1, b, t)),
        ("Tensor.transpose", (x("b", "t", "d"), 1, 2), (b, d, t)),
        ("Tensor.permute", (x("b", "h", "t", "c"), 0, 3, 1, 2), (b, c, h, t)),
        ("Tensor.T", (x("n", "c"),), (c, n)),
        ("Tensor.mT", (x("b", "n", "c"),), (b, c, n)),
        ("torch.movedim", (x("b", "t", "d"), -1, 1), (b, d, t)),
        ("Tensor.expand", (x("b", 1, "d"), -1, t, -1), (b, t, d)),
        ("Tensor.expand", (x("d"), b, t, d), (b, t, d)),
        ("Tensor.expand_as", (x("b", 1), x("b", "t")), (b, t)),
        ("torch.broadcast_to", (x(1), (b, t)), (b, t)),
        ("Tensor.select", (x("b", "t", "d"), 1, -1), (b, d)),
        ("Tensor.narrow", (x("b", "t"), 1, 1, t - 1), (b, t - 1)),
        ("aten.slice", (x("b", "t"), 1, 0, -1), (b, t - 1)),
        ("aten.slice", (x("b", 7), 1, 0, 100, 2), (b, 4)),
        ("aten.slice", (x("b", "t"), 1, 2, 3), (b, 1)),
        ("aten.slice", (x("b", unknown(low=0)), 1, 0, 1), (b, 1)),
        ("aten.slice", (x("b", unknown(low=0)), 1, -1, None), (b, 1)),
        ("aten.slice", (x("b", minimum(t, 2)), 1, 2, 3), (b, 0)),
        ("aten.slice", (x("b", 2), 1, 2, 3), (b, 0)),
        ("Tensor.unfold", (x("b", "t"), 1, 3, 1), (b, t - 2, 3)),
        ("torch.diagonal", (x("n", "n"),), (n,)),
        ("linalg.diagonal", (x("b", 3, 5),), (b, 3)),
        ("torch.view_as_real", (x("b", "t", dtype="complex64"),), (b, t, 2)),
        ("torch.view_as_complex", (x("b", "t", 2),), (b, t)),
        ("Tensor.view", (x("b", "t"), "uint8"), (b, 4 * t)),
        ("torch.atleast_3d", (x("n"),), (1, n, 1)),
        ("Tensor.sum_to_size", (x("b", "t", "d"), 1, d), (1, d)),
        ("torch.slice_scatter", (x("b", "t"), x("b", 1), 1, 0, 1), (b, t)),
    ],
)
def test_shapes(name: str, args: tuple[Any, ...], shape: tuple[Any, ...]) -> None:
    assert infer(name, *args).shape == shape


@pytest.mark.parametrize(
    ("name", "args", "shape"),
    [
        ("Tensor.unsqueeze", (x("...", "d"), -1), ("...", d, 1)),
        ("Tensor.transpose", (x("b", "...", "t", "d"), -2, -1), (b, "...", d, t)),
        ("Tensor.transpose", (x("b", "...", "d"), 0, -1), (d, "...", b)),
        ("torch.flatten", (x("...", "h", "d"), -2), ("...", h * d)),
        ("Tensor.unflatten", (x("...", 64), -1, (8, -1)), ("...", 8, 8)),
        ("Tensor.squeeze", (x("...", 1), -1), ("...",)),
        ("Tensor.squeeze", (x("b", 1, 64),), ("...", 64)),
        ("Tensor.squeeze", (x("b", "t"), -1), (b, "...")),
        ("Tensor.select", (x("...", "t", "d"), -2, 0), ("...", d)),
        ("torch.mT", (x("...", "n", "c"),), ("...", c, n)),
    ],
)
def test_what_is_left_of_a_shape_of_unknown_rank(name: str, args: tuple[Any, ...], shape: tuple[Any, ...]) -> None:
    assert str(infer(name, *args).shape) == str(Shape.of(shape))


def test_a_rank_that_the_operator_implies() -> None:
    assert infer("Tensor.permute", x("b", "...", "d"), 0, -1, 1).shape.head[:2] == (b, d)
    assert infer("Tensor.view", UNKNOWN, b, 3).shape == (b, 3)
    assert infer("Tensor.expand", x("...", 3), 2, -1, -1).dims[2] == 3


def test_a_size_that_may_be_0_is_no_reason_to_accept_a_view() -> None:
    """What works only for a batch of 0 works for no data."""
    for shape, message in (((N, -1, 32), "100*n elements are not divisible by 32*n"), ((N, 3, 32), "96*n != 100*n")):
        with pytest.raises(ShapeError, match=re.escape(message)):
            infer("Tensor.view", x(N, 100), *shape)
    assert infer("Tensor.view", x(N, 0), N, 0, 5) == x(N, 0, 5)


def test_heads_come_back_together() -> None:
    """h*(d//h) is d again, without an assumption: the first view has shown that h divides d."""
    with assuming() as open_:
        split = heads()
    assert [str(one).partition(" (")[0] for one in open_] == ["d == h*(d//h)"]
    with assuming() as open_:
        joined = infer("Tensor.view", infer("Tensor.contiguous", infer("Tensor.transpose", split, 1, 2)), b, t, d)
        assert infer("Tensor.reshape", infer("Tensor.transpose", split, 1, 2), b, -1, d).shape == (b, t, d)
    assert joined.shape == (b, t, d)
    assert not open_


def test_view_of_a_transposed_tensor_is_an_error_with_its_reason() -> None:
    with pytest.raises(LayoutError) as refused:
        infer("Tensor.view", heads(), b, t, d)
    assert str(refused.value) == (
        "view: cannot view (b, h, t, d//h) as (b, t, d): dimensions 1 and 2 are not contiguous; use reshape()"
    )


def test_reshape_of_a_transposed_tensor_is_known_to_copy() -> None:
    copied = infer("Tensor.reshape", heads(), b, t, d)
    assert copied == x("b", "t", "d")


def test_an_unknown_layout_never_gives_a_layout_error() -> None:
    unsure = infer("Tensor.transpose", x("b", "h", "t", "d", layout="unknown"), 1, 2)
    assert infer("Tensor.view", unsure, b, t, -1) == x("b", "t", "h*d", layout="unknown")


@pytest.mark.parametrize(
    ("name", "args", "kind", "message"),
    [
        ("Tensor.view", (x(2, 3), 5, -1), ShapeError, "6 elements are not divisible by 5"),
        ("Tensor.view", (x("2*d+1"), 2, -1), ShapeError, "not divisible by 2"),
        (
            "Tensor.view",
            (x(2, 3), 4),
            ShapeError,
            r"shape \(4,\) is invalid for input of shape \(2, 3\): 4 != 6 elements",
        ),
        ("Tensor.view", (x(2, 3), -1, -1), ShapeError, r"only one size can be -1, got \(-1, -1\)"),
        (
            "Tensor.view",
            (x(2, 3), -2, 3),
            ShapeError,
            r"expected sizes to be non-negative or -1, got -2 in dimension 0 of \(-2, 3\)",
        ),
        ("Tensor.view", (x(0, 3), -1, 0), ShapeError, "ambiguous"),
        ("Tensor.view", (x(2, 3),), CallError, 'missing 1 required positional argument: "shape"'),
        ("Tensor.view", (x(2, 3), 1.5), CallError, "expected a size to be an int, got 1.5"),
        (
            "Tensor.view",
            (x(2, 3), "float64"),
            ShapeError,
            "cannot view torch.float32 as torch.float64: expected the last dimension to be divisible by 2, got 3",
        ),
        (
            "Tensor.flatten",
            (x(2, 3, 4), 2, 1),
            ShapeError,
            "expected start_dim <= end_dim, got 2 and 1 for a 3-D input",
        ),
        (
            "Tensor.unflatten",
            (x(2, 6), 1, (4, -1)),
            ShapeError,
            r"cannot unflatten dimension 1 of \(2, 6\) into \(4, -1\): shape \(4, -1\) is invalid for input of",
        ),
        (
            "Tensor.permute",
            (x(2, 3), 0, 1, 2),
            ShapeError,
            r"expected dims to have length 2, got \(0, 1, 2\) \(input of shape \(2, 3\)\)",
        ),
        ("Tensor.permute", (x(2, 3), 0, 0), ShapeError, "dim 0 appears twice"),
        ("Tensor.transpose", (x(2, 3), 0, 2), ShapeError, "dim out of range: expected -2 to 1, got 2"),
        ("Tensor.t", (x(2, 3, 4),), ShapeError, r"expected at most 2 dimensions, got shape \(2, 3, 4\)"),
        ("Tensor.mT", (x(2),), ShapeError, r"expected at least 2 dimensions, got shape \(2,\)"),
        (
            "Tensor.expand",
            (x("b", "d"), b, t),
            ShapeError,
            r"cannot expand \(b, d\) to \(b, t\): d != t in dimension -1",
        ),
        (
            "Tensor.expand",
            (x(2, 3), 3),
            ShapeError,
            r"cannot expand \(2, 3\) to \(3,\): expected at least 2 sizes, got 1",
        ),
        (
            "Tensor.expand",
            (x(3), -1, 3),
            ShapeError,
            r"expected a non-negative size for the new dimension 0, got -1 in \(-1, 3\)",
        ),
        (
            "Tensor.select",
            (x(2, 3), 1, 3),
            ShapeError,
            r"index 3 is out of range for dimension 1 of \(2, 3\) with size 3",
        ),
        ("Tensor.narrow", (x("b", "t"), 1, 1, t), ShapeError, "start 1 and length t exceed dimension 1 with size t"),
        ("aten.slice", (x(2), 0, 0, 1, 0), ShapeError, "expected step to be positive, got 0"),
        (
            "Tensor.unfold",
            (x(2, 3), 1, 4, 1),
            ShapeError,
            "expected size to be at most 3, the size of dimension 1, got 4",
        ),
        (
            "Tensor.diagonal",
            (x(2, 3), 0, 1, -1),
            ShapeError,
            "expected two different dimensions, got dim1=1 and dim2=-1",
        ),
        ("torch.view_as_real", (x(2),), DTypeError, "expected a complex input, got torch.float32"),
        (
            "torch.view_as_complex",
            (x(2, 3),),
            ShapeError,
            r"expected the last dimension of the input to be 2, got 3 \(shape \(2, 3\)\)",
        ),
        ("torch.imag", (x(2),), DTypeError, "expected a complex input, got torch.float32"),
        (
            "torch.select_scatter",
            (x(2, 3), x(3), 1, 0),
            ShapeError,
            r"expected src of shape \(2,\), the shape of the region it replaces, got \(3,\)",
        ),
        ("Tensor.sum_to_size", (x(2, 3), 2), ShapeError, "does not broadcast"),
        (
            "Tensor.contiguous",
            (x(2, 3), "torch.channels_last"),
            ShapeError,
            r"expected a 4-D input for torch.channels_last, got shape \(2, 3\)",
        ),
        (
            "torch.movedim",
            (x(2, 3), (0, 1), (1,)),
            ShapeError,
            r"expected source and destination to have the same length, got \(0, 1\) and \(1,\)",
        ),
    ],
)
def test_refusals(name: str, args: tuple[Any, ...], kind: type[ShapeError], message: str) -> None:
    with pytest.raises(kind, match=message):
        infer(name, *args)


@pytest.mark.parametrize("name", ["permute", "transpose", "select", "squeeze", "as_strided"])
def test_copies_of_views_are_contiguous(name: str) -> None:
    args = {"permute": ((1, 0),), "transpose": (0, 1), "select": (1, 0), "squeeze": (), "as_strided": ((2,), (3,))}[
        name
    ]
    assert infer(f"torch.{name}_copy", x(2, 3), *args).layout == "contiguous"


def test_channels_last_is_followed() -> None:
    last = infer("Tensor.contiguous", x("b", "c", "h", "w"), memory_format="torch.channels_last")
    assert last.layout == "channels_last"
    assert infer("Tensor.permute", last, 0, 2, 3, 1).layout == "contiguous"
    assert infer("Tensor.permute", x("b", "h", "w", "c"), 0, 3, 1, 2) == last
    assert infer("Tensor.clone", last).layout == "channels_last"
    with pytest.raises(LayoutError, match=r"dimensions 1 and 2 are not contiguous; use reshape\(\)"):
        infer("Tensor.view", last, b, -1)


SIZE = st.sampled_from([1, 2, 3, 4, 6])


@settings(max_examples=25, deadline=None)
@given(SIZE, SIZE, SIZE, st.integers(-3, 2), st.integers(-3, 2))
def test_the_laws(b: int, h: int, e: int, one: int, other: int) -> None:
    sizes = {"b": b, "h": h, "e": e}
    view, reshape = torch.Tensor.view, torch.Tensor.reshape
    agree("Tensor.view", view, lambda b, h, e: (T(b, h * e), b, h, -1), sizes)
    agree("Tensor.view", view, lambda b, h, e: (T(b, h, e), -1, h), sizes)
    agree("Tensor.reshape", reshape, lambda b, h, e: (T(b, h, e), h, -1, 2), sizes)
    agree("torch.flatten", torch.flatten, lambda b, h, e: (T(b, h, e), one, other), sizes)
    agree("torch.transpose", torch.transpose, lambda b, h, e: (T(b, h, e), one, other), sizes)
    agree("torch.squeeze", torch.squeeze, lambda b, h, e: (T(b, h, e), one), sizes)
    agree("torch.squeeze", torch.squeeze, lambda b, h, e: (T(b, h, e),), sizes)
    agree("torch.movedim", torch.movedim, lambda b, h, e: (T(b, h, e), one, other), sizes)
    agree("Tensor.unfold", torch.Tensor.unfold, lambda b, h, e: (T(b, h, e), one, h, 2), sizes)
    agree("torch.narrow", torch.narrow, lambda b, h, e: (T(b, h, e), one, other, e), sizes)
    agree("aten.slice", torch.ops.aten.slice, lambda b, h, e: (T(b, h, e), one, other, h), sizes)
    agree("torch.diagonal", torch.diagonal, lambda b, h, e: (T(b, h, e), other, one, 0), sizes)
    agree("Tensor.expand", torch.Tensor.expand, lambda b, h, e: (T(b, 1, e), b, h, e), sizes)
    agree("torch.select", torch.select, lambda b, h, e: (T(b, h, e), one, other), sizes)


def test_metadata() -> None:
    spec = x("b", "t", 64)
    assert infer("Tensor.size", spec) == (b, t, 64)
    assert infer("Tensor.size", spec, -1) == 64
    assert infer("Tensor.shape", spec) == (b, t, 64)
    assert infer("Tensor.dim", spec) == infer("Tensor.ndim", spec) == 3
    assert infer("Tensor.numel", spec) == 64 * b * t
    assert infer("Tensor.stride", spec) == (64 * t, 64, 1)
    assert infer("Tensor.nbytes", spec) == 256 * b * t
    assert infer("Tensor.is_contiguous", spec) is True
    assert infer("Tensor.is_contiguous", infer("Tensor.mT", spec)) is False
    assert infer("Tensor.is_contiguous", x("b", layout="unknown")) == UNKNOWN
    assert infer("Tensor.is_floating_point", spec) is True
    assert str(infer("Tensor.dtype", spec)) == "torch.float32"
    assert infer("Tensor.__len__", spec) == b
    assert infer("Tensor.size", x("...", 64), -1) == 64
    assert isinstance(infer("Tensor.dim", x("...", 64)), Unknown)
    assert infer("Tensor.cpu", spec).device == "cpu"
    with pytest.raises(ShapeError, match="dim out of range: expected -3 to 2, got 3"):
        infer("Tensor.size", spec, 3)
    with pytest.raises(CallError, match="cannot convert a tensor of 64 elements to a Python scalar"):
        infer("Tensor.item", x(64))


@pytest.mark.parametrize(
    ("shapes", "result"),
    [(((b, 1), (t,)), (b, t)), ((b, (1, 1)), (1, b)), ((3, (4, 1)), (4, 3)), ((b, b), (b,)), ((), ())],
)
def test_shapes_to_broadcast_are_tuples_and_sizes(shapes: tuple[object, ...], result: object) -> None:
    assert infer("torch.broadcast_shapes", *shapes) == result
