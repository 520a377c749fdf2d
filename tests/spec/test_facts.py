from __future__ import annotations

import pytest

from shapecheck.spec import facts as facts_module
from shapecheck.spec.dim import Size, axis, quotient, unknown
from shapecheck.spec.division import remainder
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.expression import parse_size
from shapecheck.spec.facts import Facts
from shapecheck.spec.terms import Terms

B, D, H, K, T = (axis(name) for name in "bdhkt")


def learnt(*facts: str) -> Facts:
    """Facts from `d == 2*h` and `h | d`."""
    known = Facts()
    for fact in facts:
        learn, sign = (known.learn_equal, "==") if "==" in fact else (known.learn_divides, "|")
        left, right = map(parse_size, fact.split(sign))
        known = learn(left, right)
    return known


@pytest.mark.parametrize(
    ("facts", "asked", "answer"),
    [
        (["d == 7"], "d+1", "8"),
        (["7 == d"], "d+1", "8"),
        (["d == t"], "d*t", "t**2"),
        (["d == h*k"], "d//h", "k"),
        (["h*k == d"], "d//h", "k"),
        (["2*d == 6"], "d", "3"),
        (["2*d == h"], "h//2", "d"),
        (["d+1 == h"], "h-1", "d"),
        (["b*d == b*h"], "d-h", "0"),
        (["h*k == 512"], "h*k", "512"),
        (["h*k == 512"], "b*h*k", "512*b"),
        (["d == h", "h == k"], "d", "k"),
        (["d == h", "d == 4"], "h", "4"),
        (["h == 4", "d == 2*h"], "d", "8"),
        (["h | d"], "h*(d//h)", "d"),
        (["h | d"], "d%h", "0"),
        (["h | d"], "(d+h)%h", "0"),
        (["h | d"], "(t*d)%h", "0"),
        (["2*h | d"], "d%h", "0"),
        (["h | d", "h | t"], "(d+t)%h", "0"),
        (["h | d", "d | t"], "t%h", "0"),
        (["d%h == 0"], "h*(d//h)", "d"),
        (["2 | h"], "2*(h//2)", "h"),
        (["h | d", "2 | d//h"], "d%(2*h)", "0"),
        (["h | d", "d == 2*t"], "h*(2*t//h)", "2*t"),
        (["h | d", "k == h"], "d%k", "0"),
        # nothing is claimed that is not known
        (["h | d"], "d//k", "d//k"),
        (["h | d"], "d%(2*h)", "d%(2*h)"),
        (["2 | h"], "h//4", "h//4"),
        (["d//h == 3"], "d", "d"),
        ([], "d//h", "d//h"),
    ],
)
def test_what_is_learnt_is_put_in(facts: list[str], asked: str, answer: str) -> None:
    assert str(learnt(*facts).apply(parse_size(asked))) == answer


@pytest.mark.parametrize(
    ("facts", "left", "right", "answer"),
    [
        ([], "d", "t", False),
        (["d == t"], "d", "t", True),
        (["h | d"], "h*(d//h)", "d", True),
        (["d == 2*h"], "d", "h", False),
        (["d == 2*h"], "d", "4", None),
    ],
)
def test_same(facts: list[str], left: str, right: str, answer: bool | None) -> None:
    assert learnt(*facts).same(parse_size(left), parse_size(right)) is answer


@pytest.mark.parametrize(
    "facts",
    [
        ["2 == 3"],
        ["d == 0"],
        ["d == d+1"],
        ["2*d == 7"],
        ["d == 3", "d == 4"],
        ["d == 2*h", "d == h"],
        ["3 | 7"],
        ["h | d", "d == 7", "h == 2"],
        ["0 | d"],
    ],
)
def test_what_cannot_be_is_refused(facts: list[str]) -> None:
    with pytest.raises(ShapeError):
        learnt(*facts)


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [(2, 3, "2 cannot be equal to 3"), (2 * D, 7, r"2\*d cannot be equal to 7")],
)
def test_the_message_names_both_sizes(left: Size, right: Size, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        Facts().learn_equal(left, right)


def test_unknowns_learn_before_names_and_free_names_before_axes() -> None:
    n, free = unknown("n"), axis("m", "")
    assert Facts().learn_equal(D, n).apply(n + 1) == D + 1
    assert Facts().learn_equal(D, free).apply(free) == D
    assert Facts().learn_equal(free, n).apply(n) == free


def test_facts_do_not_change() -> None:
    nothing = Facts()
    known = nothing.learn_equal(D, 4)
    assert (nothing.apply(D), known.apply(D)) == (D, 4)
    assert known.learn_equal(D, 4) is known
    assert known.learn_divides(2, D) is known


def test_a_learnt_quotient_is_the_views_quotient() -> None:
    assert learnt("h | d").apply(D // H) == quotient(D, H)


def test_a_long_path_keeps_the_last_divisibilities_and_costs_no_more_than_a_short_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[Terms] = []

    def counted(dividend: Terms, divisor: Terms) -> Terms:
        called.append(divisor)
        return remainder(dividend, divisor)

    def remainders(count: int) -> int:
        """How many are computed for a size after so many asserts of `size % ways == 0`."""
        known = Facts()
        for index in range(count):
            known = known.learn_divides(axis(f"ways{index}"), axis(f"size{index}"))
        size, ways = axis(f"size{count - 1}"), axis(f"ways{count - 1}")
        called.clear()
        assert known.apply(size % ways) == 0
        known.apply((D + size * H) // ways)
        return len(called)

    monkeypatch.setattr(facts_module, "remainder", counted)
    assert remainders(40) <= remainders(12)
