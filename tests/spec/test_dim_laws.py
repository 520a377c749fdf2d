"""Dims against Python's integers: every law under random assignments of the names."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from shapecheck.spec.dim import Size, at_least, axis, maximum, minimum, quotient, same, substitute, variables
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.expression import parse_size
from shapecheck.spec.facts import Facts
from tests.amount import examples

NAMES = ["b", "t", "h"]
FREE = {name: axis(name, "") for name in NAMES}

Values = dict[str, int]
# A size as a program builds it, and what Python makes of the same program.
Program = tuple[str, list["Program"], int]

assignments = st.fixed_dictionaries({name: st.integers(1, 9) for name in NAMES})
leaves: st.SearchStrategy[Program] = st.one_of(
    st.builds(lambda value: ("int", [], value), st.integers(-6, 6)),
    st.builds(lambda index: ("name", [], index), st.integers(0, len(NAMES) - 1)),
)


def operations(parts: st.SearchStrategy[Program]) -> st.SearchStrategy[Program]:
    kinds = st.sampled_from(["+", "-", "*", "//", "%", "max", "min"])
    return st.one_of(
        st.builds(lambda kind, left, right: (kind, [left, right], 0), kinds, parts, parts),
        st.builds(lambda part, power: ("**", [part], power), parts, st.integers(0, 3)),
        st.builds(lambda part, offset: ("+", [part, ("int", [], offset)], 0), parts, st.integers(-6, 6)),
        st.builds(lambda part, number: ("//", [part, ("int", [], number)], 0), parts, st.integers(-4, 6)),
        st.builds(lambda part, number: ("%", [part, ("int", [], number)], 0), parts, st.integers(-4, 6)),
    )


programs = st.recursive(leaves, operations, max_leaves=8)

OPERATORS: dict[str, Callable[[Size, Size], Size]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
}


def build(
    program: Program, leaf: Callable[[str], Size], greatest: Callable[..., Size], least: Callable[..., Size]
) -> Size:
    kind, parts, number = program
    if kind == "int":
        return number
    if kind == "name":
        return leaf(NAMES[number])
    sizes = [build(part, leaf, greatest, least) for part in parts]
    if kind == "**":
        return sizes[0] ** number
    if kind in ("max", "min"):
        return (greatest if kind == "max" else least)(*sizes)
    return OPERATORS[kind](*sizes)


def symbolic(program: Program) -> Size:
    """The Dim; a program that divides by the constant 0 is none."""
    try:
        return build(program, FREE.__getitem__, maximum, minimum)
    except (ShapeError, ZeroDivisionError):
        assume(False)
        raise AssertionError from None


def number(program: Program, values: Values) -> int | None:
    """What Python computes; None where it divides by zero."""
    try:
        value = build(program, values.__getitem__, max, min)
    except ZeroDivisionError:
        return None
    assert isinstance(value, int)
    return value


def assigned(size: Size, values: Values) -> Size | None:
    try:
        return substitute(size, {FREE[name]: value for name, value in values.items()})
    except ShapeError:
        return None


@settings(max_examples=examples(600), deadline=None)
@given(programs, assignments)
def test_arithmetic_is_pythons(program: Program, values: Values) -> None:
    size, expected = symbolic(program), number(program, values)
    if expected is not None:
        assert assigned(size, values) == expected


@settings(max_examples=examples(400), deadline=None)
@given(programs, programs, st.lists(assignments, min_size=8, max_size=8))
def test_same_and_at_least_hold_for_every_assignment(one: Program, other: Program, trials: list[Values]) -> None:
    left, right = symbolic(one), symbolic(other)
    equal, greater = same(left, right), at_least(left, right)
    assert same(right, left) is equal
    for values in trials:
        a, b = number(one, values), number(other, values)
        if a is None or b is None:
            continue
        assert equal is not True or a == b
        assert equal is not False or a != b
        assert greater is not True or a >= b
        assert greater is not False or a < b


@settings(max_examples=examples(400), deadline=None)
@given(programs)
def test_equal_sizes_have_equal_hashes_and_constants_are_ints(program: Program) -> None:
    size, again = symbolic(program), symbolic(program)
    assert (size, hash(size), str(size)) == (again, hash(again), str(again))
    assert same(size, again) is True
    assert isinstance(size, int) or variables(size)


@settings(max_examples=examples(600), deadline=None)
@given(programs)
def test_printing_parses_back(program: Program) -> None:
    size = symbolic(program)
    assert parse_size(str(size), scope="") == size


POWER_OF_POWER: Program = ("**", [("**", [("name", [], 2)], 3)], 3)


@settings(max_examples=examples(400), deadline=None)
@given(programs, programs, assignments)
@example(POWER_OF_POWER, POWER_OF_POWER, {"b": 1, "t": 1, "h": 1})
def test_a_name_may_be_replaced_before_or_after(one: Program, other: Program, values: Values) -> None:
    into, value, expected = symbolic(one), symbolic(other), number(other, values)
    assume(expected is not None and expected >= 1)
    assert expected is not None
    replaced = dict(values, h=expected)
    if number(one, replaced) is not None:
        try:
            result = substitute(into, {FREE["h"]: value})
        except ShapeError:
            return
        assume(variables(result) <= set(FREE.values()))  # what grows too long to work with is unknown
        assert assigned(result, values) == number(one, replaced)


@settings(max_examples=examples(300), deadline=None)
@given(programs, programs, programs)
def test_ring_laws_hold_in_normal_form(one: Program, two: Program, three: Program) -> None:
    a, b, c = symbolic(one), symbolic(two), symbolic(three)
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a - b == a + -b
    assert a - a == 0
    assert a * b == b * a
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c


@settings(max_examples=examples(400), deadline=None)
@given(programs, programs, assignments)
def test_quotient_times_divisor_is_the_dividend(one: Program, other: Program, values: Values) -> None:
    dividend, divisor = symbolic(one), symbolic(other)
    assume(divisor != 0)
    n, d = number(one, values), number(other, values)
    if isinstance(dividend, int) and isinstance(divisor, int):
        assume(dividend % divisor == 0)
    try:
        part = quotient(dividend, divisor)
    except ShapeError:
        return
    if n is not None and d and n % d == 0:
        assert assigned(part, values) == n // d
        assert same(part * divisor, dividend) is True


@settings(max_examples=examples(400), deadline=None)
@given(programs, programs, st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), min_size=8, max_size=8))
@example(  # a division by t % h, which is 0 where t//h is exact
    ("int", [], 0),
    ("//", [("**", [("name", [], 0)], 1), ("%", [("name", [], 1), ("name", [], 2)], 0)], 0),
    [(1, 1)] * 8,
)
def test_answers_about_quotients_hold_where_they_are_exact(
    one: Program, other: Program, trials: list[tuple[int, int]]
) -> None:
    names = FREE | {"b": quotient(FREE["t"], FREE["h"])}
    try:
        left, right = (build(program, names.__getitem__, maximum, minimum) for program in (one, other))
    except (ShapeError, ZeroDivisionError):
        assume(False)
        raise
    equal, greater = same(left, right), at_least(left, right)
    for times, divisor in trials:
        values = {"b": times, "h": divisor, "t": times * divisor}
        a, b = number(one, values), number(other, values)
        if a is None or b is None:
            continue
        assert assigned(left, values) == a
        assert equal is not True or a == b
        assert equal is not False or a != b
        assert greater is not True or a >= b
        assert greater is not False or a < b


@settings(max_examples=examples(300), deadline=None)
@given(programs, st.sampled_from(["b", "h", "b*h"]))
def test_a_product_is_divided_exactly(one: Program, text: str) -> None:
    size, divisor = symbolic(one), parse_size(text, scope="")
    assert (size * divisor) // divisor == size
    assert (size * divisor) % divisor == 0
    assert quotient(size, divisor) * divisor == size


@settings(max_examples=examples(400), deadline=None)
@given(programs, programs, programs, assignments)
def test_facts_keep_values(one: Program, other: Program, asked: Program, values: Values) -> None:
    left, right, size = symbolic(one), symbolic(other), symbolic(asked)
    a, b, expected = number(one, values), number(other, values), number(asked, values)
    assume(a is not None and b is not None and expected is not None)
    facts = Facts()
    if a == b:
        facts = facts.learn_equal(left, right)
    elif b and a is not None and a % b == 0 and right != 0:
        facts = facts.learn_divides(right, left)
    assert assigned(facts.apply(size), values) == expected
