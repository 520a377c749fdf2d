"""Strides against torch's own: of new tensors, of views, of copies, and whether `.view` is possible at all."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.spec import Dim, Size, TensorSpec, axis, quotient, substitute, unknown
from shapecheck.spec.strides import (
    channels_last_strides,
    contiguous_strides,
    laid_out,
    layout_of,
    numel,
    preserved,
    strides_of,
)
from shapecheck.spec.view_strides import Blocked, view_strides
from tests.amount import examples

b, t, h, d = (axis(name) for name in "bthd")
SIZES = st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=5)


def real_layout(tensor: torch.Tensor) -> str:
    if tensor.is_contiguous():
        return "contiguous"
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    last = formats.get(tensor.dim())
    return "channels_last" if last and tensor.is_contiguous(memory_format=last) else "non-contiguous"


@st.composite
def histories(draw: st.DrawFn, steps: int = 4) -> torch.Tensor:
    """A tensor after a few random views."""
    tensor = torch.empty(draw(st.lists(st.sampled_from([1, 2, 3, 4, 6, 0]), min_size=1, max_size=4)))
    for _ in range(draw(st.integers(0, steps))):
        tensor = draw(st.sampled_from(VIEWS))(draw, tensor)
    return tensor


def _axis(draw: st.DrawFn, x: torch.Tensor) -> int:
    return draw(st.integers(0, x.dim() - 1))


def transposed(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    return x.transpose(_axis(draw, x), _axis(draw, x)) if x.dim() else x


def permuted(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    return x.permute(draw(st.permutations(range(x.dim()))))


def sliced(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    if not x.dim():
        return x
    at, step = _axis(draw, x), draw(st.integers(1, 2))
    return torch.ops.aten.slice(x, at, draw(st.integers(0, 2)), draw(st.integers(1, 6)), step)


def expanded(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    sizes = [draw(st.sampled_from([2, 3])) if size == 1 else -1 for size in x.shape]
    return x.expand((*draw(st.sampled_from([(), (2,), (1,)])), *sizes)) if x.dim() < 6 else x


def selected(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    at = _axis(draw, x) if x.dim() else 0
    return x.select(at, 0) if x.dim() and x.shape[at] else x


def unsqueezed(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    return x.unsqueeze(draw(st.integers(0, x.dim()))) if x.dim() < 6 else x


VIEWS: list[Any] = [transposed, permuted, sliced, expanded, selected, unsqueezed]


@st.composite
def regrouped(draw: st.DrawFn, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes with the same number of elements: neighbours joined, some split, 1s put in."""
    new: list[int] = []
    for size in sizes:
        if new and draw(st.booleans()):
            new[-1] *= size
        else:
            new.append(size)
    split: list[int] = []
    for size in new:
        factor = draw(st.sampled_from([1, 2, 3]))
        split += [factor, size // factor] if size % factor == 0 and draw(st.booleans()) else [size]
    return tuple(split)


def unless_one(sizes: Any, strides: Any) -> list[Any]:
    """The strides that matter: an axis of one element has none."""
    return [stride for size, stride in zip(sizes, strides, strict=True) if size != 1]


@given(SIZES)
def test_a_new_tensor_has_contiguous_strides(sizes: list[int]) -> None:
    assert contiguous_strides(sizes) == torch.empty(sizes).stride()


@given(st.lists(st.sampled_from([0, 1, 2, 3]), min_size=4, max_size=5))
def test_channels_last_strides(sizes: list[int]) -> None:
    memory = torch.channels_last if len(sizes) == 4 else torch.channels_last_3d
    real = torch.empty(sizes, memory_format=memory)
    assert unless_one(sizes, channels_last_strides(sizes)) == unless_one(sizes, real.stride()) or 0 in sizes


@settings(max_examples=examples(300))
@given(histories())
def test_the_layout_follows_from_sizes_and_strides(x: torch.Tensor) -> None:
    assert layout_of(tuple(x.shape), x.stride()) == real_layout(x)


@settings(max_examples=examples(300))
@given(histories())
def test_a_clone_is_laid_out_as_torch_lays_it_out(x: torch.Tensor) -> None:
    spec = TensorSpec(tuple(x.shape), "float32", real_layout(x), strides=x.stride())  # type: ignore[arg-type]
    ours = strides_of(preserved(spec))
    assert ours is not None
    assert x.numel() == 0 or unless_one(x.shape, ours) == unless_one(x.shape, x.clone().stride())


@settings(max_examples=examples(500))
@given(st.data(), histories())
def test_a_view_is_possible_exactly_where_torch_makes_one(data: st.DataObject, x: torch.Tensor) -> None:
    new = data.draw(regrouped(tuple(x.shape)))
    ours = view_strides(tuple(x.shape), x.stride(), new)
    try:
        real = x.view(new)
    except RuntimeError:
        assert isinstance(ours, Blocked)
        return
    assert isinstance(ours, tuple)
    assert unless_one(new, ours) == unless_one(new, real.stride())


def free(size: int, seen: dict[int, Dim]) -> Size:
    """The size by a name that proves nothing against other names."""
    return seen.setdefault(size, axis(f"n{size}", scope="")) if size else 0


@settings(max_examples=examples(300))
@given(st.data(), SIZES.filter(bool), st.booleans())
def test_symbolic_answers_hold_for_every_size(data: st.DataObject, sizes: list[int], unify: bool) -> None:
    """Contiguous, then permuted; the sizes as names: with numbers put back the answer is torch's or none."""
    order = data.draw(st.permutations(range(len(sizes))))
    x = torch.empty(sizes).permute(order)
    seen: dict[int, Dim] = {}
    names: list[Size] = [free(size, seen) if unify else axis(f"m{index}", "") for index, size in enumerate(sizes)]
    numbers = {name: size for name, size in zip(names, sizes, strict=True) if isinstance(name, Dim)}
    strides = contiguous_strides(names)
    old = tuple(names[index] for index in order)
    moved = tuple(strides[index] for index in order)
    joined = data.draw(st.integers(0, len(sizes) - 1))
    new = (*old[:joined], numel(old[joined : joined + 2]), *old[joined + 2 :])
    ours = view_strides(old, moved, new)
    concrete = tuple(int(substitute(size, numbers)) for size in new)  # type: ignore[arg-type]
    try:
        real = x.view(concrete)
    except RuntimeError:
        assert not isinstance(ours, tuple)
        return
    assert not isinstance(ours, Blocked)
    if ours is not None:
        put_back = [substitute(stride, numbers) for stride in ours]
        assert unless_one(concrete, put_back) == unless_one(concrete, real.stride())


@pytest.mark.parametrize(
    ("sizes", "strides", "layout"),
    [
        ((b, t, d), (t * d, d, 1), "contiguous"),
        ((b, t, d), (1, d, t), "non-contiguous"),
        ((b, h, t, d), (t * h * d, d, h * d, 1), "non-contiguous"),
        ((b, 3, h, d), (3 * h * d, 1, 3 * d, 3), "channels_last"),
        ((b, 1, d), (d, 7, 1), "contiguous"),
        ((unknown(), unknown()), (1, 8), "unknown"),
        ((b, t), (0, 1), "non-contiguous"),
    ],
)
def test_symbolic_layouts(sizes: tuple[Size, ...], strides: tuple[Size, ...], layout: str) -> None:
    assert layout_of(sizes, strides) == layout


def test_joining_what_a_transposition_parted_is_impossible() -> None:
    e = quotient(d, h)
    made = view_strides((b, h, t, e), (t * d, e, d, 1), (b, t, d))
    assert isinstance(made, Blocked)
    assert (made.upper, made.lower) == (1, 2)


def test_splitting_an_axis_is_possible_however_it_lies() -> None:
    assert view_strides((b, d, t), (t * d, 1, d), (b, h, quotient(d, h), t)) == (t * d, quotient(d, h), 1, d)


def test_a_size_that_may_be_one_leaves_it_open() -> None:
    n = unknown("n", low=1)
    assert view_strides((8, n, 64), (64, 512, 1), (512 * n,)) is None
    assert view_strides((8, 1, 64), (64, 512, 1), (512,)) == (1,)
    assert isinstance(view_strides((8, t, 64), (64, 512, 1), (512 * t,)), Blocked)


def test_rows_cut_from_a_tensor_can_still_be_split() -> None:
    """(b, T, h*d)[:, :t] viewed as (b, t, h, d): only b is not adjacent, and it is not joined to anything."""
    c, whole = axis("c"), axis("whole")
    assert view_strides((b, t, c), (whole * c, c, 1), (b, t, h, d)) == (whole * c, h * d, d, 1)


def test_strides_are_kept_only_where_the_layout_does_not_tell_them() -> None:
    x = TensorSpec((2, 3), "float32", "contiguous")
    assert laid_out(x, (2, 3), (3, 1)) == x
    assert laid_out(x, (3, 2), (1, 3)) == TensorSpec((3, 2), "float32", "non-contiguous", strides=(1, 3))
    assert laid_out(x, (3, 2), None) == TensorSpec((3, 2), "float32")
    assert strides_of(laid_out(x, (3, 2), (1, 3))) == (1, 3)
    assert strides_of(TensorSpec(("b", "..."), "float32", "contiguous")) is None
