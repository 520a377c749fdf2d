"""The first line of an error: function, parameter, axis, what it is, what it should be, and who said so."""

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
    (attention, (t(2, 3, 64), t(2, 5, 32), t(2, 5, 6)), "attention(k): axis 2 'd' is 32, but 64 was bound by q[2]"),
    (attention, (t(2, 3, 4), t(2, 5, 4), t(2, 7, 6)), "attention(v): axis 1 's' is 7, but 5 was bound by k[1]"),
    (attention, (t(2, 3, 4), t(2, 5), t(2, 7, 6)), "attention(k): 2 axes, but 3 are asked for: 'b s d'"),
    (
        attention,
        (t(2, 3, 4), t(2, 5, 4).int(), t(2, 7, 6)),
        "attention(k): dtype is torch.int32, but Float is asked for",
    ),
    (attention, (t(2, 3, 4), [1], t(2, 7, 6)), 'attention(k): a list, but Float[Tensor, "b s d"] is asked for'),
    (
        attention,
        (t(2, 3, 4), t(2, 5, 4).numpy(), t(2, 7, 6)),
        'attention(k): numpy.ndarray float32 (2, 5, 4), but Float[Tensor, "b s d"] is asked for',
    ),
    (attention, (t(2, 3, 4), t(2, 5, 4), t(2, 5, 99)), "attention(return): axis 1 't' is 5, but 3 was bound by q[1]"),
    (plain, ("x",), "plain(n): str 'x', but int is asked for"),
    (plain, (1, 2), "plain(name): int 2, but str is asked for"),
    (many, ([t(2), t(2), t(3)],), "many(xs[2]): axis 0 'b' is 3, but 2 was bound by xs[0][0]"),
    (many, ((t(2),),), "many(xs): a tuple, but list is asked for"),
    (many, ([], Pair(t(2), t(3))), "many(pair.right): axis 0 'n' is 3, but 2 was bound by pair.left[0]"),
    (symbolic, (t(4), t(3)), "symbolic(x): axis 0 '2*n' is 4, but 2*n is 6 where n=3 (y[0])"),
    (symbolic, (t(6), t(3), t(1, 2)), "symbolic(z): axis 1 'n' is 2, but 3 was bound by y[0]"),
    (runs, (t(2, 3, 4), t(2, 4)), "runs(y): '*batch' is (2, 4), but (2, 3) was bound by x"),
    (fixed, (t(3, 5),), "fixed(x): axis 1 'rows=4' is 5, but 4 is asked for"),
    (fixed, (t(),), "fixed(x): 0 axes, but 2 are asked for: '3 rows=4'"),
    (lying, (t(3, 2).T,), "lying(x): strides are (1, 2), but Contiguous is asked for"),
    (lying, (t(3, 2), t(2, 3, 4, 4)), "lying(y): strides are (48, 16, 4, 1), but ChannelsLast is asked for"),
    (lying, (t(3, 2), None, t(2)), "lying(z): device is cpu, but OnDevice('meta') is asked for"),
    (Net(), (t(3, 5),), "Net.forward(x): axis 1 '{self.dim}' is 5, but self.dim is 4"),
    (Net(), (t(3, 4),), "Net.forward(return): axis 1 '1' is 4, but 1 is asked for"),
    (Sized(4).apply, (t(3, 5),), "Sized.apply(x): axis 1 'dim' is 5, but 4 was bound by self.dim"),
    (Sized(4).apply, (t(9, 4),), "Sized.apply(return): axis 0 'dim' is 9, but 4 was bound by self.dim"),
]


@pytest.mark.parametrize(("function", "arguments", "first"), TABLE, ids=[row[2] for row in TABLE])
def test_the_first_line(function: Any, arguments: tuple[Any, ...], first: str) -> None:
    with pytest.raises(shapecheck.ShapeError) as raised:
        function(*arguments)
    assert str(raised.value).splitlines()[0] == first
    assert isinstance(raised.value, TypeError)


def test_the_lines_below_say_what_was_asked_for_and_what_is_known() -> None:
    with pytest.raises(shapecheck.ShapeError) as raised:
        attention(t(2, 3, 64), t(2, 5, 32), t(2, 5, 6))
    assert str(raised.value).splitlines()[1:] == [
        '  k is annotated Float[Tensor, "b s d"] and is torch.float32 (2, 5, 32)',
        "  sizes so far: b=2 (q[0]), t=3 (q[1]), d=64 (q[2])",
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

    with pytest.raises(ShapeError, match=r"f\(x\): axis 1 '3' is 4, but 3 is asked for"):
        f(t(2, 4))
