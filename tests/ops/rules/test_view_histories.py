"""Random chains of views, on real tensors and through the rules, with numbers and with names for the sizes.

After every step shape, strides and contiguity are torch's, and `.view` is refused exactly where torch refuses it. With
names the answers hold for these numbers or say nothing: names may stand for any size, so nothing is refused that some
sizes allow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Dim, LayoutError, ShapeError, TensorSpec, axis, substitute
from shapecheck.spec.strides import strides_of
from tests.amount import examples
from tests.conformance.specs import layout_of

Step = tuple[str, tuple[Any, ...], Callable[[torch.Tensor], torch.Tensor]]


def step(name: str, *args: Any) -> Step:
    function = getattr(torch.Tensor, name, None) or getattr(torch.ops.aten, name)
    return name, args, lambda x: function(x, *args)


@st.composite
def steps(draw: st.DrawFn, x: torch.Tensor) -> Step:
    rank = x.dim()
    one = st.integers(-rank, rank - 1) if rank else st.integers(-1, 0)
    make: dict[str, Callable[[], tuple[Any, ...]]] = {
        "transpose": lambda: (draw(one), draw(one)),
        "permute": lambda: (draw(st.permutations(range(rank))),),
        "unsqueeze": lambda: (draw(st.integers(-rank - 1, rank)),),
        "squeeze": lambda: draw(st.sampled_from([(), (draw(one),)])),
        "select": lambda: (draw(one), 0),
        "narrow": lambda: (draw(one), draw(st.integers(-1, 1)), draw(st.integers(0, 2))),
        "slice": lambda: (draw(one), draw(st.integers(-2, 2)), draw(st.integers(-2, 6)), draw(st.integers(1, 2))),
        "expand": lambda: ((2, *(draw(st.sampled_from([-1, 3])) if size == 1 else size for size in x.shape)),),
        "unfold": lambda: (draw(one), draw(st.integers(0, 2)), draw(st.integers(1, 2))),
        "diagonal": lambda: (draw(st.integers(-1, 1)), draw(one), draw(one)),
        "flatten": lambda: (draw(one), draw(one)),
        "unflatten": lambda: (draw(one), (draw(st.sampled_from([1, 2])), -1)),
        "view": lambda: (draw(shapes(x)),),
        "reshape": lambda: (draw(shapes(x)),),
        "clone": lambda: (),
        "contiguous": lambda: (),
        "movedim": lambda: (draw(one), draw(one)),
        "t": lambda: (),
        "ravel": lambda: (),
        "mT": lambda: (),
        "detach": lambda: (),
    }
    name = draw(st.sampled_from(sorted(make)))
    if name == "mT" and not rank:
        name = "detach"  # torch warns
    if name == "mT":
        return name, (), lambda y: y.mT
    return step(name, *make[name]())


@st.composite
def shapes(draw: st.DrawFn, x: torch.Tensor) -> list[int]:
    new: list[int] = []
    for size in x.shape:
        if new and draw(st.booleans()):
            new[-1] *= size
        elif size % 2 == 0 and draw(st.booleans()):
            new += [2, size // 2]
        else:
            new.append(size)
    if new and draw(st.booleans()):
        new[draw(st.integers(0, len(new) - 1))] = -1
    return new


def ruled(name: str, spec: TensorSpec, args: Any) -> TensorSpec | ShapeError:
    try:
        answer = infer(name, spec, *args)
    except ShapeError as refusal:
        return refusal
    assert not isinstance(answer, Unknown), answer
    assert isinstance(answer, TensorSpec)
    return answer


def check(spec: TensorSpec, real: torch.Tensor, said: str) -> None:
    assert spec.shape == tuple(real.shape), said
    if real.numel() == 0:
        return
    assert spec.layout == layout_of(real), said
    strides = strides_of(spec)
    assert strides is not None, said
    for size, ours, theirs in zip(real.shape, strides, real.stride(), strict=True):
        assert size == 1 or ours == theirs, f"{said}: {strides} for {real.stride()}"


@settings(max_examples=examples(400), deadline=None)
@given(st.data(), st.lists(st.sampled_from([1, 2, 3, 4, 6, 2, 0]), max_size=4))
def test_a_chain_of_views_of_known_sizes(data: st.DataObject, sizes: list[int]) -> None:
    real, spec = torch.empty(sizes), TensorSpec(tuple(sizes), "float32", "contiguous")
    for _ in range(5):
        if real.dim() > 6:
            return
        name, args, function = data.draw(steps(real))
        said = f"{name}{args} of {spec!r}"
        ours = ruled(name, spec, args)
        try:
            real = function(real)
        except (RuntimeError, IndexError) as refusal:
            assert isinstance(ours, ShapeError), f"{said}: torch says {refusal}, we {ours}"
            assert isinstance(ours, LayoutError) == ("view size is not" in str(refusal)), f"{refusal} / {ours}"
            return
        assert isinstance(ours, TensorSpec), f"{said}: {ours}"
        check(ours, real, said)
        spec = ours


def names_for(args: Any, numbers: dict[int, Dim]) -> Any:
    """The arguments with names where they are sizes of the tensor."""
    if isinstance(args, (list, tuple)):
        return type(args)(names_for(one, numbers) for one in args)
    return numbers.get(args, args)


@settings(max_examples=examples(300), deadline=None)
@given(st.data(), st.lists(st.sampled_from([5, 7, 4, 6, 1, 2]), min_size=1, max_size=4, unique=True))
def test_a_chain_of_views_of_sizes_known_by_name(data: st.DataObject, sizes: list[int]) -> None:
    names = {size: axis(f"n{size}", scope="") for size in sizes}
    values = {name: size for size, name in names.items()}
    real, spec = torch.empty(sizes), TensorSpec(tuple(names.values()), "float32", "contiguous")
    for _ in range(4):
        if real.dim() > 6 or spec.rank is None:
            return
        name, args, function = data.draw(steps(real))
        shown = names_for(args, names) if name in ("view", "reshape", "expand") else args
        ours = ruled(name, spec, shown)
        try:
            real = function(real)
        except (RuntimeError, IndexError):
            return
        if not real.numel() and is_for_one(name, args):  # `[2:3]` is taken to have its element
            return
        said = f"{name}{shown} of {spec!r}: {ours!r}"
        assert isinstance(ours, TensorSpec), said
        check_filled(ours, real, values, said)
        spec = ours


def is_for_one(name: str, args: tuple[Any, ...]) -> bool:
    """Whether it is a slice for one element."""
    if name != "slice":
        return False
    _, start, stop, every = args
    return every == 1 and stop == start + 1 != 0


def check_filled(spec: TensorSpec, real: torch.Tensor, values: dict[Dim, int], said: str) -> None:
    if spec.rank is None:
        return
    dims = tuple(substitute(size, values) for size in spec.dims)
    assert len(dims) == real.dim(), said
    for ours, theirs in zip(dims, real.shape, strict=True):
        assert ours == theirs or isinstance(ours, Dim), f"{said}: {dims} for {real.shape}"
    strides = strides_of(spec)
    if real.numel() == 0 or strides is None:
        return
    for size, ours, theirs in zip(real.shape, strides, real.stride(), strict=True):
        put_back = substitute(ours, values)
        assert size == 1 or put_back == theirs or isinstance(put_back, Dim), f"{said}: {strides} for {real.stride()}"
    if spec.layout != "unknown" and not any(isinstance(size, Dim) for size in dims):
        assert spec.layout == layout_of(real), said
