"""Subscripts: what basic and advanced indices pick, in which order of axes, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Dim, DTypeError, ShapeError, TensorSpec, axis, substitute, unknown
from tests.amount import examples
from tests.conformance.oracle import difference, false_layout
from tests.conformance.specs import spec_of

ALL = slice(None)
B, T, D = axis("b"), axis("t"), axis("d")
X = TensorSpec((B, T, D), "float32", "contiguous")
OPEN = TensorSpec(("...", 128), "float32")


def index(*sizes: Any, dtype: str = "int64") -> TensorSpec:
    return TensorSpec(sizes, dtype, "contiguous")


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        ((ALL, slice(None, -1)), "(b, t-1, d)"),
        ((ALL, slice(1, None)), "(b, t-1, d)"),
        ((ALL, slice(None, None, 2)), "(b, (t+1)//2, d)"),
        ((ALL, slice(1, None, 2)), "(b, t//2, d)"),
        ((ALL, slice(1, -1)), "(b, max(t-2, 0), d)"),
        ((ALL, slice(0, 10)), "(b, min(t, 10), d)"),
        ((ALL, slice(-3, None)), "(b, min(t, 3), d)"),
        ((ALL, slice(None, D)), "(b, min(t, d), d)"),
        ((ALL, slice(0, D)), "(b, min(t, d), d)"),
        ((..., slice(None, D // 2)), "(b, t, d//2)"),
        ((..., slice(D // 2, None)), "(b, t, d-d//2)"),
        ((ALL, T - 1), "(b, d)"),
        (0, "(t, d)"),
        ((..., -1), "(b, t)"),
        ((ALL, None), "(b, 1, t, d)"),
        ((..., None), "(b, t, d, 1)"),
        (True, "(1, b, t, d)"),
        ((..., ...), "(b, t, d)"),
    ],
)
def test_basic_items_give_a_view(key: Any, shape: str) -> None:
    assert str(infer("Tensor.__getitem__", X, key).shape) == shape


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        (index(5), "(5, t, d)"),
        (index(5, 6), "(5, 6, t, d)"),
        ((ALL, [0, 2]), "(b, 2, d)"),
        ((index(5), index(5)), "(5, d)"),
        ((index(5, 1), index(1, 6)), "(5, 6, d)"),
        ((ALL, index(5), index(5)), "(b, 5)"),
        ((index(5), ALL, index(5)), "(5, t)"),  # not adjacent: in front
        ((index(5), None, index(5)), "(5, 1, d)"),
        ((0, ALL, index(5)), "(t, 5)"),  # an int is no tensor: it is gone first
        ((..., index(5)), "(b, t, 5)"),
        ((index(dtype="int64"), 0), "(d,)"),
        (index(B, T, dtype="bool"), "(selected, d)"),
        ((ALL, index(T, dtype="bool")), "(b, selected, d)"),
        ((ALL, index(T, dtype="bool"), 0), "(b, selected)"),
        ((index(B, dtype="bool"), slice(1, None)), "(selected, t-1, d)"),
        (False, "(0, b, t, d)"),
        ([], "(0, t, d)"),
        ([[0, 1], [1, 0]], "(2, d)"),  # a nested list is read as a tuple
    ],
)
def test_tensors_lists_and_masks_are_applied_together(key: Any, shape: str) -> None:
    assert str(infer("Tensor.__getitem__", X, key).shape) == shape


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        ((..., 0), "(...)"),
        ((..., None), "(..., 128, 1)"),
        ((..., slice(0, 64)), "(..., 64)"),
        ((..., slice(64, None)), "(..., 64)"),
        (0, "(...)"),
        (None, "(1, ..., 128)"),
        ((..., index(5)), "(..., 5)"),
        ((..., 0, ALL), "(..., 128)"),
    ],
)
def test_a_shape_with_a_run_keeps_what_is_known(key: Any, shape: str) -> None:
    result = infer("__getitem__", OPEN, key)
    assert str(result.shape) == shape
    assert str(result.dtype) == "torch.float32"


def test_a_bound_that_nobody_knows_gives_a_size_that_nobody_knows() -> None:
    size = infer("__getitem__", X, (ALL, slice(unknown("i"), None))).dims[1]
    assert isinstance(size, Dim)


@pytest.mark.parametrize(
    ("start", "stop", "size"),
    [
        (axis("t"), axis("t") + 1, "1"),
        (axis("t") + 1, axis("t") + 2, "1"),
        (axis("t"), axis("t") + 2, "max(min(n, t+2)-min(n, t), 0)"),
        (axis("t") - 3, axis("t") - 2, "max(?-?, 0)"),
    ],
)
def test_a_slice_that_is_written_for_one_element_has_it(start: Dim, stop: Dim, size: str) -> None:
    x = TensorSpec((axis("n"),), "float32")
    assert str(infer("__getitem__", x, slice(start, stop)).dims[0]) == size


def test_the_numbers_in_a_list_are_seen() -> None:
    with pytest.raises(ShapeError, match="index 5 is out of range for a dimension with size 3"):
        infer("__getitem__", TensorSpec((2, 3)), (ALL, [0, 5]))


@pytest.mark.parametrize("key", [Unknown("?"), (0, Unknown("?")), (ALL, TensorSpec((), None))])
def test_an_unknown_item_is_not_guessed(key: Any) -> None:
    assert isinstance(infer("__getitem__", X, key), Unknown)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ((0, 0, 0, 0), "too many indices: got 4 for a 3-D tensor of shape (b, t, d)"),
        ((ALL, T), "index t is out of range for a dimension with size t"),
        ((ALL, -T - 1), "index -t-1 is out of range for a dimension with size t"),
        ((ALL, slice(None, None, -1)), "expected the step of a slice to be positive, got -1"),
        (index(T, B, dtype="bool"), "expected dimension 0 of the mask to be b, got t (mask of shape (t, b))"),
        (
            index(2, dtype="float32"),
            "expected an index of dtype torch.int64, torch.int32, torch.uint8 or torch.bool, got torch.float32",
        ),
        ((index(5), index(6)), "indices of shapes (5,), (6,) do not match"),
        ("a", 'expected an index of ints, slices, `...`, None and integer or bool tensors, got "a"'),
        (1.0, "expected an index of ints, slices, `...`, None and integer or bool tensors, got 1.0"),
        (slice(0, 1.5), "expected slice bounds to be ints or None, got 1.5"),
    ],
)
def test_a_refusal_names_the_axis_and_the_sizes(key: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer("Tensor.__getitem__", X, key)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ((ALL, 0), index(B, D, dtype="float64")),  # through a view: cast
        ((ALL, 0), index(D, dtype="float32")),
        (0, index(1, 1, T, D, dtype="float32")),
        (index(B, T, dtype="bool"), 0.0),
        (index(B, T, dtype="bool"), index(dtype="int64")),  # a fill: cast
        (index(5), index(5, T, D, dtype="float32")),
        (False, index(7, dtype="float32")),
        (True, index(D, dtype="float64")),
        (0, TensorSpec.anything()),
        ((0, 0, 0), index(unknown(low=0), dtype="float32")),  # what `where` found may be one
        ((0, 0), index(unknown(), 1, D, dtype="float32")),
    ],
)
def test_a_value_that_broadcasts_can_be_assigned(key: Any, value: Any) -> None:
    assert infer("Tensor.__setitem__", X, key, value) == X


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ((ALL, 0), index(T, dtype="float32"), "cannot assign a value of shape (t,) to elements of shape (b, d)"),
        (0, index(2, T, D, dtype="float32"), "cannot assign a value of shape (2, t, d) to elements of shape (t, d)"),
        (
            (0, 0, 0),
            index(unknown(low=2), dtype="float32"),
            "cannot assign a value of shape (?,) to elements of shape ()",
        ),
        (
            index(5),
            index(5, T, D, dtype="float64"),
            "expected input and value to have the same dtype, got torch.float32 and torch.float64",
        ),
        (0, [1, 2], "expected a tensor or a number to assign, got [1, 2]"),
        (0, 1j, "cannot assign a complex value to a tensor of dtype torch.float32"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(key: Any, value: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer("Tensor.__setitem__", X, key, value)
    assert message in str(refused.value)


def test_index_put_takes_one_dtype() -> None:
    with pytest.raises(DTypeError):
        infer("Tensor.index_put_", X, (index(5),), index(dtype="float64"))


def test_aten_index_has_none_for_whole_axes() -> None:
    assert str(infer("torch.ops.aten.index.Tensor", X, [None, index(5)]).shape) == "(b, 5, d)"


@st.composite
def items(draw: st.DrawFn, size: int) -> Any:
    bound = st.none() | st.integers(-5, 5)
    kind = draw(st.sampled_from(["int", "slice", "slice", "none", "dots", "bool", "tensor", "list", "mask"]))
    if kind == "int":
        return draw(st.integers(-size, size))
    if kind == "slice":
        return slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, 3])))
    if kind == "tensor":
        shape = draw(st.sampled_from([(), (1,), (2,), (2, 1)]))
        return torch.zeros(shape, dtype=torch.long)
    if kind == "mask":
        return torch.ones(draw(st.sampled_from([size, size, size + 1])), dtype=torch.bool)
    return {"none": None, "dots": ..., "bool": True, "list": [0, size - 1]}[kind]


@st.composite
def subscripts(draw: st.DrawFn) -> tuple[torch.Tensor, Any]:
    dims = draw(st.lists(st.integers(1, 4), max_size=3))
    x = torch.zeros(dims)
    if len(dims) > 1 and draw(st.booleans()):
        x = x.transpose(0, 1)
    key = tuple(draw(items(x.shape[min(at, x.dim() - 1)] if dims else 1)) for at in range(draw(st.integers(1, 4))))
    return x, key


@settings(deadline=None, max_examples=examples(120))
@given(subscripts())
def test_any_subscript_gives_what_torch_gives(case: tuple[torch.Tensor, Any]) -> None:
    x, key = case
    try:
        real = x[key]
    except (IndexError, RuntimeError, TypeError):
        real = None
    try:
        ours = infer("Tensor.__getitem__", spec_of(x), spec_of(key))
    except ShapeError:
        ours = None
    if real is None:
        # The elements that a mask picks are not known, so neither is what they broadcast with.
        assert ours is None or isinstance(ours, Unknown) or any(isinstance(one, torch.Tensor) for one in key)
        return
    assert ours is not None
    kind, why = difference(ours, real, data_dependent=True)
    assert kind != "wrong", why
    assert not false_layout(ours, real)


@settings(deadline=None, max_examples=examples(120))
@given(st.integers(1, 9), *[st.none() | st.integers(-9, 9)] * 2, st.integers(1, 4))
def test_a_symbolic_slice_with_the_number_put_in_is_pythons(
    n: int, start: int | None, stop: int | None, step: int
) -> None:
    size = axis("n")
    symbolic = infer("__getitem__", TensorSpec((size,), "float32"), slice(start, stop, step)).dims[0]
    expected = len(range(n)[start:stop:step])
    is_for_one = step == 1 and start is not None and stop == start + 1 != 0
    assume(expected or not is_for_one)  # `[2:3]` is taken to have its element
    assert substitute(symbolic, {size: n}) == expected
