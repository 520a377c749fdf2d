"""What a join knows holds of both values, in whichever order they come; and widening comes to an end."""

from __future__ import annotations

from copy import copy
from functools import reduce
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shapecheck.ops import Unknown
from shapecheck.spec import Shape, Size, TensorSpec, axis
from shapecheck.static.domain.alternatives import MOST_MEMBERS, Alternatives, members_of
from shapecheck.static.domain.join import join, same_value, widen_value
from tests.static.strategies import alike, pairs, says_less, values

_MOST_ROUNDS = 4


@given(pairs())
def test_what_a_join_knows_holds_of_both(both: tuple[Any, Any]) -> None:
    one, other = both
    joined = join(one, other)
    assert says_less(joined, one)
    assert says_less(joined, other)


@given(pairs())
def test_the_order_does_not_matter(both: tuple[Any, Any]) -> None:
    one, other = both
    assert alike(join(one, other), join(other, one))


def test_a_tensor_of_unknown_rank_covers_all_ranks() -> None:
    several, ranks = TensorSpec((..., 1)), join(TensorSpec((1,)), TensorSpec(()))
    assert alike(join(several, ranks), join(ranks, several))


def test_the_layout_is_kept_where_branches_agree_on_the_sizes() -> None:
    """As after `if n == 1`, where the size 1 of that branch and n of the other are both n."""
    size = axis("n")
    constant, symbolic = (TensorSpec.make(Shape((one,)), None, "contiguous") for one in (1, size))

    def agree(one: Size, other: Size) -> Size | None:
        return size

    assert join(constant, symbolic, agree).layout == "contiguous"
    assert join(symbolic, constant, agree).layout == "contiguous"


@given(values())
def test_a_value_joined_with_itself_is_itself(value: Any) -> None:
    assert join(value, value) is value
    assert alike(join(value, copy(value)), value)


@given(pairs())
def test_what_is_joined_already_adds_nothing(both: tuple[Any, Any]) -> None:
    one, other = both
    joined = join(one, other)
    assert alike(join(joined, one), joined)
    assert alike(join(joined, other), joined)


@given(pairs())
def test_alternatives_are_few_and_differ(both: tuple[Any, Any]) -> None:
    one, other = both
    joined = join(one, other)
    if isinstance(joined, Alternatives):
        assert 2 <= len(joined.members) <= MOST_MEMBERS
        assert not any(isinstance(member, Unknown) for member in joined.members)
        pairs = [(a, b) for at, a in enumerate(joined.members) for b in joined.members[at + 1 :]]
        assert not any(same_value(a, b) for a, b in pairs)


@given(pairs())
def test_widening_forgets_and_never_learns(both: tuple[Any, Any]) -> None:
    before, new = both
    after = join(before, new)
    found = widen_value(before, after)
    assert says_less(found, after)
    assert len(members_of(found)) <= len(members_of(before))


@given(values(), st.lists(values(), min_size=1, max_size=4))
def test_widening_comes_to_an_end(start: Any, news: list[Any]) -> None:
    """However often a loop repeats these values, nothing changes after a few rounds."""

    def round_(state: Any) -> Any:
        return reduce(lambda known, new: widen_value(known, join(known, new)), news, state)

    states = [start]
    for _ in range(_MOST_ROUNDS):
        states.append(round_(states[-1]))
    assert alike(states[-1], round_(states[-1]))


def test_the_order_among_values_tells_them_apart() -> None:
    """Else the laws above would hold of anything."""
    assert says_less(Unknown(), 1)
    assert not says_less(1, Unknown())
    assert not says_less(1, 2)
    assert says_less(join(1, 2), 2)
    assert not says_less(join(1, 2), 3)
    assert not says_less(2, join(1, 2))
    assert says_less(TensorSpec((..., 3)), TensorSpec((2, 3)))
    assert not says_less(TensorSpec((..., 3)), TensorSpec((3, 2)))
    assert not says_less(TensorSpec((2, 3), "float32"), TensorSpec((2, 3)))
    assert says_less(join(TensorSpec((2, 3)), TensorSpec((4, 3))), TensorSpec((5, 3)))
    assert not says_less(join(TensorSpec((2, 3)), TensorSpec((4, 3))), TensorSpec((5, 4)))
