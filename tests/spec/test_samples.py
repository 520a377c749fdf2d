"""What points say of a size, and that no proof says otherwise."""

import pytest
from hypothesis import given, settings

from shapecheck.spec import bounds
from shapecheck.spec.dim import Size, at_least, axis, minimum, quotient, same, terms_of, unknown
from shapecheck.spec.samples import Signs, signs
from shapecheck.spec.terms import scale
from tests.amount import examples
from tests.spec.test_dim_laws import Program, programs, symbolic
from tests.steps import steps

b, t, h = axis("b", ""), axis("t", ""), axis("h", "")
u, anything = unknown("u", low=0), unknown("anything")

ABOVE, BELOW, NO_VALUE = Signs(False, False, True), Signs(True, False, False), Signs(False, False, False)


@pytest.mark.parametrize(
    ("size", "seen"),
    [
        (0, Signs(False, True, False)),
        (3, ABOVE),
        (b, ABOVE),
        (-b, BELOW),
        (2 * b - 1, ABOVE),
        (b - 1, Signs(False, True, True)),
        (u, Signs(False, True, True)),
        (anything, Signs(True, False, True)),
        (b * t - b, Signs(False, True, True)),
        ((b + 3) // 4 - b, Signs(True, True, False)),
        (minimum(b, 8) - b, Signs(True, True, False)),
        (b % 4 - 4, BELOW),
        (quotient(b * t, h), ABOVE),
        (quotient(3, 7 * h), NO_VALUE),
    ],
    ids=str,
)
def test_the_signs_of_a_size_are_those_at_a_few_points(size: Size, seen: Signs) -> None:
    assert signs(terms_of(size)) == seen


@settings(max_examples=examples(400), deadline=None)
@given(programs)
def test_no_point_lies_beyond_a_bound_that_is_proved(program: Program) -> None:
    terms = terms_of(symbolic(program))
    seen = signs(terms)
    for sign, beyond in ((1, seen.below), (-1, seen.above)):
        bound = bounds.lower(scale(terms, sign))
        if bound is not None and bound >= 0:
            assert not beyond
            assert bound == 0 or not seen.zero


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (2 * (b // 2), 2 * (t // 2) + 1, False),  # odd and even, though each may be the greater
        (b % 2, 2 + t % 2, False),
        (b - b % 4, 4 * (b // 4), True),
        (axis("x", "f") // 2, axis("y", "f") // 2, None),
    ],
    ids=str,
)
def test_what_points_leave_open_is_proved(one: Size, other: Size, verdict: bool | None) -> None:
    assert same(one, other) is verdict


def test_a_point_spares_the_proof_that_long_sizes_may_differ() -> None:
    def halved() -> Size:
        size: Size = unknown("h", low=0)
        for _ in range(4):
            size = (size + unknown("k", low=0) + 1) // 2
        return size

    one, other = halved() * halved() + 1, halved() * halved() + 1
    assert steps(lambda: (same(one, other), at_least(one, other))) < 4_000
