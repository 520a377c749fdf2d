"""The first line of an error: function, parameter, dimension, expected and actual value, and what bound the size."""

from __future__ import annotations

import pickle
from typing import Annotated, Any, NamedTuple

import pytest
from jaxtyping import Float, Int
from torch import Tensor, nn

import shapecheck
from shapecheck import ChannelsLast, Contiguous, OnDevice, checked
from shapecheck.runtime.errors import ShapeError
from tests.runtime.support import t


class Pair(NamedTuple):
    left: Float[Tensor, "n"]
    right: Float[Tensor, "n"]


@checked
def attention(
    q: Float[Tensor, "b t d"], k: Float[Tensor, "b s d"], v: Float[Tensor, "b s e"]
) -> Float[Tensor, "b t e"]:
    return v if v.shape[-1] == 99 else q @ k.mT @ v


@checked
def plain(n: int, name: str = "x") -> int:
    return n


@checked
def many(xs: list[Float[Tensor, "b"]], pair: Pair | None = None, **more: Float[Tensor, "b"]) -> None: ...


@checked
def symbolic(x: Float[Tensor, "2*n"], y: Float[Tensor, "n"], z: Float[Tensor, "*m n"] | None = None) -> None: ...


@checked
def runs(x: Float[Tensor, "*batch d"], y: Float[Tensor, "*batch"]) -> None: ...


@checked
def fixed(x: Float[Tensor, "3 rows=4"]) -> None: ...


@checked
def lying(
    x: Annotated[Float[Tensor, "a b"], Contiguous],
    y: Annotated[Float[Tensor, "b c h w"], ChannelsLast] | None = None,
    z: Annotated[Tensor, OnDevice("meta")] | None = None,
) -> None: ...


class Net(nn.Module):
    dim = 4

    @checked
    def forward(self, x: Float[Tensor, "b {self.dim}"]) -> Float[Tensor, "b 1"]:
        return x


@checked(sizes="dim")
class Sized:
    def __init__(self, dim: int) -> None:
        self.dim = dim

    def apply(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "dim"]:
        return x[:, 0] if len(x) == 9 else x[0]


TABLE: list[tuple[Any, tuple[Any, ...], str]] = [
    (
        attention,
        (t(2, 3, 64), t(2, 5, 32), t(2, 5, 6)),
        'attention(k): expected dimension 2 ("d") to be 64, got 32 (d was bound by q[2])',
    ),
    (
        attention,
        (t(2, 3, 4), t(2, 5, 4), t(2, 7, 6)),
        'attention(v): expected dimension 1 ("s") to be 5, got 7 (s was bound by k[1])',
    ),
    (attention, (t(2, 3, 4), t(2, 5), t(2, 7, 6)), 'attention(k): expected 3 dimensions ("b s d"), got 2'),
    (
        attention,
        (t(2, 3, 4), t(2, 5, 4).int(), t(2, 7, 6)),
        "attention(k): expected a floating-point dtype (Float), got torch.int32",
    ),
    (attention, (t(2, 3, 4), [1], t(2, 7, 6)), "attention(k): expected Tensor, got a list"),
    (
        attention,
        (t(2, 3, 4), t(2, 5, 4).numpy(), t(2, 7, 6)),
        "attention(k): expected Tensor, got numpy.ndarray",
    ),
    (
        attention,
        (t(2, 3, 4), t(2, 5, 4), t(2, 5, 99)),
        'attention(return): expected dimension 1 ("t") to be 3, got 5 (t was bound by q[1])',
    ),
    (plain, ("x",), 'plain(n): expected int, got str "x"'),
    (plain, (1, 2), "plain(name): expected str, got int 2"),
    (many, ([t(2), t(2), t(3)],), 'many(xs[2]): expected dimension 0 ("b") to be 2, got 3 (b was bound by xs[0][0])'),
    (many, ((t(2),),), "many(xs): expected list, got a tuple"),
    (
        many,
        ([], Pair(t(2), t(3))),
        'many(pair.right): expected dimension 0 ("n") to be 2, got 3 (n was bound by pair.left[0])',
    ),
    (symbolic, (t(4), t(3)), 'symbolic(x): expected dimension 0 ("2*n") to be 6, got 4 (n=3 from y[0])'),
    (symbolic, (t(6), t(3), t(1, 2)), 'symbolic(z): expected dimension 1 ("n") to be 3, got 2 (n was bound by y[0])'),
    (runs, (t(2, 3, 4), t(2, 4)), 'runs(y): expected "*batch" to be (2, 3), got (2, 4) (*batch was bound by x)'),
    (fixed, (t(3, 5),), 'fixed(x): expected dimension 1 ("rows=4") to be 4, got 5'),
    (fixed, (t(),), 'fixed(x): expected 2 dimensions ("3 rows=4"), got 0'),
    (lying, (t(3, 2).T,), "lying(x): expected layout Contiguous, got strides (1, 2)"),
    (lying, (t(3, 2), t(2, 3, 4, 4)), "lying(y): expected layout ChannelsLast, got strides (48, 16, 4, 1)"),
    (lying, (t(3, 2), None, t(2)), "lying(z): expected device meta, got cpu"),
    (Net(), (t(3, 5),), 'Net.forward(x): expected dimension 1 ("{self.dim}") to be 4, got 5'),
    (Net(), (t(3, 4),), 'Net.forward(return): expected dimension 1 ("1") to be 1, got 4'),
    (
        Sized(4).apply,
        (t(3, 5),),
        'Sized.apply(x): expected dimension 1 ("dim") to be 4, got 5 (dim was bound by self.dim)',
    ),
    (
        Sized(4).apply,
        (t(9, 4),),
        'Sized.apply(return): expected dimension 0 ("dim") to be 4, got 9 (dim was bound by self.dim)',
    ),
]


@pytest.mark.parametrize(("function", "arguments", "first"), TABLE, ids=[row[2] for row in TABLE])
def test_the_first_line(function: Any, arguments: tuple[Any, ...], first: str) -> None:
    with pytest.raises(shapecheck.ShapeError) as raised:
        function(*arguments)
    assert str(raised.value).splitlines()[0] == first
    assert isinstance(raised.value, TypeError)


def test_the_lines_below_state_the_annotation_the_value_and_the_sizes() -> None:
    with pytest.raises(shapecheck.ShapeError) as raised:
        attention(t(2, 3, 64), t(2, 5, 32), t(2, 5, 6))
    assert str(raised.value).splitlines()[1:] == [
        '  k is annotated Float[Tensor, "b s d"] and has shape (2, 5, 32), dtype torch.float32',
        "  sizes: b=2 (q[0]), t=3 (q[1]), d=64 (q[2])",
    ]


def test_the_error_carries_its_data_through_pickle() -> None:
    with pytest.raises(ShapeError) as raised:
        attention(t(2, 3, 64), t(2, 5, 32), t(2, 5, 6))
    error = pickle.loads(pickle.dumps(raised.value))
    assert (error.function, error.path, error.axis) == ("attention", "k", 2)
    assert (error.expected, error.actual, error.bound_by) == (64, 32, "q[2]")
    assert str(error) == str(raised.value)


def test_the_traceback_holds_neither_the_check_that_failed_nor_its_cause() -> None:
    with pytest.raises(ShapeError) as raised:
        attention(t(2, 3, 64), t(2, 5, 32), t(2, 5, 6))
    assert raised.value.__suppress_context__


def test_of_a_union_the_nearest_member_is_explained() -> None:
    @checked
    def f(x: Int[Tensor, "b"] | Float[Tensor, "b 3"] | None) -> None: ...

    with pytest.raises(ShapeError, match=r'f\(x\): expected dimension 1 \("3"\) to be 3, got 4'):
        f(t(2, 4))
