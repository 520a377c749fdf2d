"""Operators on tensors of unknown rank: the result holds for every rank, and nothing valid is refused."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Shape, ShapeError, TensorSpec, VariadicAxes, as_dtype, same

_FLOAT = as_dtype("float32")
_AXES = (-3, -2, -1, 0, 1, 2)
_OPEN = tuple(itertools.product(((), (2,), (3, 4)), ((), (1,), (3, 4), (2, 1, 4))))
_HIDDEN = ((), (1,), (3, 4), (2, 3, 4))


def _tensor(head: tuple[int, ...], hidden: tuple[int, ...] | None, tail: tuple[int, ...]) -> TensorSpec:
    shape = Shape(head, VariadicAxes(), tail) if hidden is None else Shape((*head, *hidden, *tail))
    return TensorSpec.make(shape, _FLOAT)


def _matrix(*sizes: int) -> TensorSpec:
    return TensorSpec.make(Shape(sizes), _FLOAT)


_ONE_AXIS = ("squeeze", "unsqueeze", "sum", "argmax", "softmax", "unbind", "cumsum", "size", "diff")
_TWO_AXES = ("transpose", "flatten", "movedim")
CALLS: list[tuple[str, tuple[Any, ...]]] = [
    *((name, (one,)) for name in _ONE_AXIS for one in _AXES),
    *((name, (one, other)) for name in _TWO_AXES for one in _AXES for other in _AXES),
    *(("narrow", (one, 0, 1)) for one in _AXES),
    *(("select", (one, 0)) for one in _AXES),
    *(("permute", order) for order in ((0, 1), (2, 0, 1), (0, 3, 1, 2))),
    *(("__getitem__", (key,)) for key in (0, None, (slice(None), 0), (..., 0), (0, ..., None), (None, 0, slice(1)))),
    ("t", ()),
    ("T", ()),
    ("squeeze", ()),
    *(("einops.rearrange", (one,)) for one in ("a ... d -> ... (a d)", "a b ... -> ... b a", "... c d -> d (...) c")),
    *(("einops.rearrange", (one,)) for one in ("a b c ... d -> b ... a c d", "a ... b c d -> (a b) ... d c")),
    *(("einops.repeat", (one,)) for one in ("a b ... -> a 5 b ...", "... c d -> c ... d 5")),
    *(("einops.reduce", (one, "sum")) for one in ("a b ... -> ...", "a ... d -> ... 1", "a b ... c -> b ... c")),
    *(("einops.einsum", (one, "... a b, ... b c -> ... a c")) for one in (_matrix(2, 1), _matrix(4, 3))),
    *((name, (sizes,)) for name in ("tile", "repeat") for sizes in ((2,), (2, 1, 3), (2, 1, 1, 3))),
    *(("expand", sizes) for sizes in ((-1, -1), (5, -1, -1), (6, -1, 4), (5, 2, -1, 3, -1))),
    *(("unflatten", (one, (2, -1))) for one in _AXES),
    *((name, (1, one)) for name in ("roll", "chunk", "repeat_interleave") for one in _AXES),
    *(("flip", order) for order in ((0,), (-1, 0), (2, -2))),
    *((name, (_matrix(3, 4),)) for name in ("mul", "matmul", "kron", "expand_as")),
    *(("unfold", (one, 1, 1)) for one in _AXES),
    *(("mean", (one,)) for one in ((0, -1), (1,), (-2, -3))),
]


def _holds(vague: Any, exact: Any) -> bool:
    """Whether a result for a shape of unknown rank is right for one of the shapes that it stands for."""
    if isinstance(vague, Unknown) or isinstance(exact, Unknown):
        return True
    if isinstance(vague, (tuple, list)):
        return len(vague) == len(exact) and all(map(_holds, vague, exact))
    if not isinstance(vague, TensorSpec):
        return same(vague, exact) is not False
    shape, sizes = vague.shape, exact.shape.dims
    if shape.rank is not None:
        return len(sizes) == shape.rank and all(map(_may_be, shape.dims, sizes))
    ends = (*shape.head, *shape.tail), (*sizes[: len(shape.head)], *sizes[len(sizes) - len(shape.tail) :])
    return len(sizes) >= shape.least_rank and all(map(_may_be, *ends))


def _may_be(vague: Any, exact: Any) -> bool:
    return same(vague, exact) is not False


@pytest.mark.parametrize(("name", "args"), CALLS)
def test_a_result_of_unknown_rank_holds_for_every_rank(name: str, args: tuple[Any, ...]) -> None:
    for head, tail in _OPEN:
        for hidden in _HIDDEN:
            if not (*head, *hidden, *tail):
                continue  # torch lets a 0-D tensor have one axis
            try:
                exact = infer(name, _tensor(head, hidden, tail), *args)
            except ShapeError:
                continue
            vague = infer(name, _tensor(head, None, tail), *args)
            assert _holds(vague, exact), f"{vague} is not {exact}"


PAIRS: list[tuple[str, tuple[Any, ...]]] = [
    *((name, ()) for name in ("add", "matmul", "maximum", "expand_as", "kron", "cross", "dist", "outer", "dot")),
    *((name, (one,)) for name in ("take_along_dim", "gather", "index_select") for one in _AXES),
]
_INDEXING = frozenset(("take_along_dim", "gather", "index_select"))
_SHORT = tuple(itertools.product(((), (2,)), ((), (3,), (1,), (3, 3))))


@pytest.mark.parametrize(("name", "args"), PAIRS)
def test_a_result_of_two_tensors_of_unknown_rank_holds_for_every_rank(name: str, args: tuple[Any, ...]) -> None:
    for (head, tail), (other_head, other_tail) in itertools.product(_SHORT, _SHORT):
        for hidden, other_hidden in itertools.product(((), (1,), (3,), (2, 3)), repeat=2):
            shapes = (head, hidden, tail), (other_head, other_hidden, other_tail)
            if not all(map(any, shapes)):
                continue
            try:
                exact = _of_two(name, args, *(_tensor(*one) for one in shapes))
            except ShapeError:
                continue
            open_shapes = [_tensor(first, None, last) for first, _, last in shapes]
            assert _holds(vague := _of_two(name, args, *open_shapes), exact), f"{vague} is not {exact}"


def _of_two(name: str, args: tuple[Any, ...], one: TensorSpec, other: TensorSpec) -> Any:
    if name not in _INDEXING:
        return infer(name, one, other, *args)
    indices = other.with_dtype(as_dtype("int64"))
    return infer(name, one, indices, *args) if name == "take_along_dim" else infer(name, one, *args, indices)


def test_what_stays_in_place_is_kept() -> None:
    x = _tensor((2,), None, (3, 4))
    assert str(infer("transpose", x, -1, -2).shape) == "(2, ..., 4, 3)"
    assert str(infer("squeeze", x, 1).shape) == "(2, ..., 4)"
    assert str(infer("squeeze", _tensor((), None, (1, 4)), -2).shape) == "(..., 4)"
