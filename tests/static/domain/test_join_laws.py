"""Join is a commutative, idempotent upper bound, and widening terminates."""

from __future__ import annotations

from copy import copy
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Shape, Size, TensorSpec, axis
from shapecheck.static.domain.alternatives import MOST_MEMBERS, Alternatives, MaybeAbsent, members_of, present
from shapecheck.static.domain.join import join, joined_all, joined_items, same_value, widen_value
from shapecheck.static.domain.unknown_options import UnknownOption
from tests.static.strategies import alike, covers, pairs, values

_MOST_ROUNDS = 4


@given(pairs())
def test_join_is_an_upper_bound(both: tuple[Any, Any]) -> None:
    one, other = both
    joined = join(one, other)
    assert covers(joined, one)
    assert covers(joined, other)


@given(pairs())
def test_join_is_commutative(both: tuple[Any, Any]) -> None:
    one, other = both
    assert alike(join(one, other), join(other, one))


def test_a_tensor_of_unknown_rank_covers_all_ranks() -> None:
    several, ranks = TensorSpec((..., 1)), join(TensorSpec((1,)), TensorSpec(()))
    assert alike(join(several, ranks), join(ranks, several))


def test_tensors_of_many_ranks_are_one_with_the_last_sizes_that_they_share() -> None:
    tensors = [TensorSpec(dims, "float32") for dims in ((8,), (3, 8), (2, 3, 8), (4, 2, 3, 8), (5, 4, 2, 3, 8))]
    assert str(reduce(join, tensors)) == "torch.float32 (..., 8)"
    assert {str(one) for one in members_of(reduce(join, [None, *tensors]))} == {"None", "torch.float32 (..., 8)"}


def test_a_tensor_that_grows_in_a_loop_is_one_of_unknown_rank() -> None:
    before = TensorSpec((8,), "float32")
    after = widen_value(before, join(before, TensorSpec((1, 8), "float32")))
    assert str(after) == "torch.float32 (..., 8)"


@pytest.mark.parametrize("x", [TensorSpec((...,)), TensorSpec((..., 4)), TensorSpec((..., 3, 4))], ids=str)
def test_two_changed_tensors_of_one_rank_are_joined_to_the_lower_bound_of_both(x: TensorSpec) -> None:
    """As after `F.pad(x, (0, 0, 0, 1) if x.dim() == 2 else (0, 0, 0, 0, 0, 1))`."""
    padded = [infer("F.pad", x, (0, 1) * count) for count in (2, 3)]
    assert alike(join(*padded), join(*reversed(padded)))
    assert join(*padded).shape.least_rank == 2


def test_an_unchanged_tensor_has_the_rank_of_the_changed_one() -> None:
    """As after `if self.project: x = self.project(x)`."""
    x = TensorSpec.anything()
    assert str(join(x, infer("F.glu", x))) == "(..., ?)"


def test_the_layout_is_kept_where_branches_agree_on_the_sizes() -> None:
    """As after `if n == 1`, where the size 1 of that branch and n of the other are both n."""
    size = axis("n")
    constant, symbolic = (TensorSpec.make(Shape((one,)), None, "contiguous") for one in (1, size))

    def agree(one: Size, other: Size) -> Size | None:
        return size

    assert join(constant, symbolic, agree).layout == "contiguous"
    assert join(symbolic, constant, agree).layout == "contiguous"


@given(values())
def test_join_is_idempotent(value: Any) -> None:
    assert join(value, value) is value
    assert alike(join(value, copy(value)), value)


@given(pairs())
def test_join_absorbs_its_operands(both: tuple[Any, Any]) -> None:
    one, other = both
    joined = join(one, other)
    assert alike(join(joined, one), joined)
    assert alike(join(joined, other), joined)


_NOTHING_KNOWN = [Unknown("one"), Unknown("other"), UnknownOption("an option")]


@given(st.lists(values() | st.sampled_from(_NOTHING_KNOWN), min_size=1, max_size=5))
def test_the_join_of_many_is_that_of_each_with_the_next(several: list[Any]) -> None:
    at_once, in_turn = joined_all(several, join), reduce(join, several)
    assert alike(at_once, in_turn)
    assert type(at_once) is type(in_turn)
    assert getattr(at_once, "reason", None) == getattr(in_turn, "reason", None)


@pytest.mark.parametrize("unknown", _NOTHING_KNOWN)
def test_an_unknown_value_decides_the_join_of_many_without_comparisons(unknown: Unknown) -> None:
    def compare(one: Any, other: Any) -> Any:
        raise AssertionError((one, other))

    assert type(joined_all([1, TensorSpec(()), unknown, "a"], compare)) is type(unknown)
    assert joined_all([unknown, unknown], compare) is unknown


def test_the_join_of_dicts_keeps_the_order_of_the_first_and_knows_what_may_be_absent() -> None:
    one = {"only": 1, "same": 2, "sometimes": MaybeAbsent(3)}
    joined = joined_items(one, {"new": 4, "sometimes": 3, "same": 2}, lambda a, b: a if a == b else None)
    assert [(name, type(value) is MaybeAbsent, present(value)) for name, value in joined.items()] == [
        ("only", True, 1),
        ("same", False, 2),
        ("sometimes", True, 3),
        ("new", True, 4),
    ]


@given(pairs())
def test_alternatives_are_few_and_distinct(both: tuple[Any, Any]) -> None:
    one, other = both
    joined = join(one, other)
    if isinstance(joined, Alternatives):
        assert 2 <= len(joined.members) <= MOST_MEMBERS
        assert not any(isinstance(member, Unknown) for member in joined.members)
        pairs = [(a, b) for at, a in enumerate(joined.members) for b in joined.members[at + 1 :]]
        assert not any(same_value(a, b) for a, b in pairs)


@given(pairs())
def test_widening_is_an_upper_bound_without_new_alternatives(both: tuple[Any, Any]) -> None:
    before, new = both
    after = join(before, new)
    found = widen_value(before, after)
    assert covers(found, after)
    assert len(members_of(found)) <= len(members_of(before))


@given(values(), st.lists(values(), min_size=1, max_size=4))
def test_widening_terminates(start: Any, news: list[Any]) -> None:
    """A loop that repeats these values reaches a fixed point after a few rounds."""

    def round_(state: Any) -> Any:
        return reduce(lambda known, new: widen_value(known, join(known, new)), news, state)

    states = [start]
    for _ in range(_MOST_ROUNDS):
        states.append(round_(states[-1]))
    assert alike(states[-1], round_(states[-1]))


def test_the_partial_order_distinguishes_values() -> None:
    """Otherwise the laws above would be trivial."""
    assert covers(Unknown(), 1)
    assert not covers(1, Unknown())
    assert not covers(1, 2)
    assert covers(join(1, 2), 2)
    assert not covers(join(1, 2), 3)
    assert not covers(2, join(1, 2))
    assert covers(TensorSpec((..., 3)), TensorSpec((2, 3)))
    assert not covers(TensorSpec((..., 3)), TensorSpec((3, 2)))
    assert not covers(TensorSpec((2, 3), "float32"), TensorSpec((2, 3)))
    assert covers(join(TensorSpec((2, 3)), TensorSpec((4, 3))), TensorSpec((5, 3)))
    assert not covers(join(TensorSpec((2, 3)), TensorSpec((4, 3))), TensorSpec((5, 4)))
