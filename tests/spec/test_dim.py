from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from shapecheck.spec.dim import (
    Dim,
    Size,
    at_least,
    axis,
    is_variable,
    maximum,
    minimum,
    quotient,
    same,
    substitute,
    unknown,
    variables,
    without_common_factor,
)
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.expression import parse_size
from tests.steps import steps

B, T, D, H, K = (axis(name) for name in "btdhk")


@pytest.mark.parametrize(
    ("size", "printed"),
    [
        (D, "d"),
        (1 + 2 * D, "2*d+1"),
        (D * T * B, "b*t*d"),
        (-1 + T, "t-1"),
        (1 - T, "1-t"),
        (-T - 1, "-t-1"),
        (H - T, "h-t"),
        (D * D * 3 + D, "3*d**2+d"),
        (D // H, "d//h"),
        (H * (D // H), "h*(d//h)"),
        (2 * (H // 2) + 1, "2*(h//2)+1"),
        (-(H // 2), "-(h//2)"),
        ((-H) // 2, "(-h)//2"),
        (D // (2 * H), "d//(2*h)"),
        (D // (H + 1), "d//(h+1)"),
        ((B * T) // D, "b*t//d"),
        (D % H, "d%h"),
        ((D % H) ** 2, "(d%h)**2"),
        (maximum(T, B), "max(b, t)"),
        (minimum(H, 7), "min(h, 7)"),
        (maximum(T - H, 0) + 1, "max(t-h, 0)+1"),
        (axis("batch") * axis("tokens") * axis("d_model"), "batch*tokens*d_model"),
        (unknown() + 1, "?+1"),
        (2 * unknown("len(x)") * D, "2*d*len(x)"),
    ],
)
def test_printing(size: Size, printed: str) -> None:
    assert str(size) == printed


@pytest.mark.parametrize(
    ("written", "normal_form"),
    [
        # floor division: what the divisor divides comes out
        ("(h*d)//d", "h"),
        ("(h*d+1)//d", "h+1//d"),
        ("(5*h+7)//2", "2*h+(h+1)//2+3"),
        ("(h-1)//2+1", "(h+1)//2"),
        ("(t-h)//2", "(t-h)//2"),
        ("((b+t)*d)//(b+t)", "d"),
        ("(b**2-t**2)//(b-t)", "b+t"),
        # common factors cancel
        ("(4*h)//6", "2*h//3"),
        ("(b*t*d)//(b*h)", "t*d//h"),
        ("(2*h+1)//4", "h//2"),
        ("h//-2", "(-h)//2"),
        # divisions nest
        ("((h+1)//2+1)//2", "(h+3)//4"),
        ("(d//h)//2", "d//(2*h)"),
        ("h//2//3//4", "h//24"),
        # what the size of things decides
        ("(d-1)//d", "0"),
        ("(h%3)//3", "0"),
        ("(-1)//d", "-1"),
        ("h//(h+1)", "0"),
        # remainders
        ("(h*d)%d", "0"),
        ("(h*d+t)%d", "t%d"),
        ("(5*h+7)%2", "(h+1)%2"),
        ("(2*h+1)%4", "2*(h%2)+1"),
        ("(h%6)%3", "h%3"),
        ("(d-1)%d", "d-1"),
        ("(3*h)%(3*d)", "3*(h%d)"),
        # maxima and minima
        ("max(d, d)", "d"),
        ("max(d, 1)", "d"),
        ("max(d, d+1, 0)", "d+1"),
        ("min(d, 1, 3)", "1"),
        ("max(max(t, h), 5)", "max(t, h, 5)"),
        ("max((h+1)//2, 1)", "(h+1)//2"),
        # constants are ints
        ("h-h+3", "3"),
        ("0*h", "0"),
        ("(h+1)**2-h*h-2*h", "1"),
        ("7//-2", "-4"),
        ("-7%3", "2"),
        ("h**0", "1"),
    ],
)
def test_normal_form(written: str, normal_form: str) -> None:
    assert str(parse_size(written)) == normal_form


def test_conv_and_pooling_sizes() -> None:
    def conv(size: Size, kernel: int, stride: int, padding: int) -> Size:
        return (size + 2 * padding - kernel) // stride + 1

    assert conv(H, kernel=3, stride=1, padding=1) == H
    assert str(conv(H, kernel=3, stride=2, padding=1)) == "(h+1)//2"
    assert str(conv(conv(H, 3, 2, 1), 3, 2, 1)) == "(h+3)//4"
    assert str(conv(H, kernel=2, stride=2, padding=0)) == "h//2"
    assert conv(2 * H, kernel=2, stride=2, padding=0) == H


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        ("d", "d", True),
        ("b*t", "t*b", True),
        ("h*(d//h)+d%h", "d", True),
        ("(t-h)//2", "(t+h)//2-h", True),
        ("h%2", "h-2*(h//2)", True),
        # different: a constant apart, one sign, or no common divisor
        ("d+1", "d", False),
        ("d", "4*d", False),
        ("d", "0", False),
        ("d+t", "d", False),
        ("2*d", "7", False),
        ("2*d", "2*t+1", False),
        ("3", "4", False),
        ("max(d, 5)", "4", False),
        ("d%7", "7", False),
        ("2*((h+1)//2)", "h-1", False),
        # different: two names of one signature
        ("d", "t", False),
        ("b*t*d", "b*t*h", False),
        ("2*d**2", "2*t**2", False),
        # not known: some sizes make them equal
        ("d", "7", None),
        ("h*d", "t", None),
        ("d", "t+1", None),
        ("h*(d//h)", "d", None),
        ("d//h", "1", None),
        ("b*t", "d*h", None),
        ("max(d, 5)", "5", None),
    ],
)
def test_same(left: str, right: str, answer: bool | None) -> None:
    assert same(parse_size(left), parse_size(right)) is answer
    assert same(parse_size(right), parse_size(left)) is answer


@pytest.mark.parametrize(
    ("left", "right", "reduced"),
    [
        ("96*b*t", "100*t", ("24*b", "25")),
        ("b*t", "b*h", ("t", "h")),
        ("2*d", "3*d", ("2", "3")),
        ("b*t+b", "b", ("t+1", "1")),
        ("b", "t", ("b", "t")),
        ("6*b", "4", ("6*b", "4")),
        ("6", "4", ("6", "4")),
    ],
)
def test_without_common_factor(left: str, right: str, reduced: tuple[str, str]) -> None:
    given = without_common_factor(parse_size(left), parse_size(right))
    assert (str(given[0]), str(given[1])) == reduced


def test_names_differ_only_within_one_signature() -> None:
    assert same(axis("d", "f"), axis("c", "f")) is False
    assert same(axis("d", "f"), axis("c", "g")) is None
    assert same(axis("d", ""), axis("c", "")) is None
    assert same(axis("d", "f"), axis("d", "g")) is None
    assert axis("d", "f") != axis("d", "g")


def test_an_unknown_proves_nothing_but_what_it_is() -> None:
    n = unknown()
    assert same(n, n) is True
    assert same(n, unknown()) is None
    assert same(n, -3) is None
    assert same(n, D) is None
    assert same(n, 2 * n) is None
    assert same(n, n + 1) is False
    assert same(n * D, n * T) is None  # n may be 0
    assert at_least(n, 0) is None
    assert at_least(unknown(low=0), 0) is True
    assert same(unknown(low=0) + D, 0) is False


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        ("d", "1", True),
        ("d*h", "d", True),
        ("d-1", "0", True),
        ("d-1", "d", False),
        ("d", "2", None),
        ("d", "h", None),
        ("d", "h*(d//h)", True),
        ("d", "(d+1)//2", True),
        ("h", "d%h", True),
        ("max(d, h)", "h", True),
        ("min(d, h)", "h+1", False),
        ("3", "2", True),
    ],
)
def test_at_least(left: str, right: str, answer: bool | None) -> None:
    assert at_least(parse_size(left), parse_size(right)) is answer


def test_quotient_is_exact() -> None:
    head = quotient(D, H)
    assert str(head) == "d//h"
    assert head != D // H
    assert H * head == D
    assert B * T * H * head == B * T * D
    assert 2 * quotient(D, 4) == quotient(D, 2)
    assert H * quotient(D, H * K) == quotient(D, K)
    assert quotient(head, K) * K * H == D
    assert quotient(B * H * head, B * D) == 1
    assert (B + T) * quotient(D, B + T) == D
    assert B * quotient(D, B + T) + T * quotient(D, B + T) + 1 == D + 1
    assert quotient(12, 4) == 3


def test_what_divides_once_divides_again() -> None:
    assert same(H * (D // H), D) is None
    assert same(D // H, quotient(D, H)) is True
    assert same(D // H + D % H, quotient(D, H)) is True
    assert same(D // H, quotient(D, H) + 1) is False


def test_variables_and_names() -> None:
    n = unknown("n")
    assert variables(max_of := maximum(D // H, n) + 2 * T) == {D, H, T, n}
    assert [is_variable(size) for size in (D, n, 2 * D, D + 1, D // H, max_of, 3)] == [True, True, *[False] * 5]
    assert (D.name, D.scope, n.name, n.scope) == ("d", "axes", "n", "")
    with pytest.raises(AttributeError, match=r"2\*d\+1 is not a plain name"):
        _ = Dim.name.fget(2 * D + 1)  # type: ignore[attr-defined]
    assert variables(3) == frozenset()


@pytest.mark.parametrize(
    ("written", "mapping", "result"),
    [
        ("h*d+1", {"h": "2"}, "2*d+1"),
        ("h*d+1", {"h": "2", "d": "3"}, "7"),
        ("d//h", {"d": "h*k"}, "k"),
        ("d//h", {"h": "d", "d": "h"}, "h//d"),
        ("d%h", {"d": "h"}, "0"),
        ("max(d, h)", {"d": "h+1"}, "h+1"),
        ("t", {"d": "3"}, "t"),
        ("4", {"d": "3"}, "4"),
    ],
)
def test_substitute(written: str, mapping: dict[str, str], result: str) -> None:
    values = {axis(name): parse_size(text) for name, text in mapping.items()}
    assert str(substitute(parse_size(written), values)) == result


def test_substitute_wants_names() -> None:
    with pytest.raises(ValueError, match=r"2\*d is not a plain name"):
        substitute(D, {parse_size("2*d"): 1})  # type: ignore[dict-item]


@pytest.mark.parametrize("divide", [lambda: D // 0, lambda: (D + 1) % 0, lambda: D // (T - T), lambda: quotient(D, 0)])
def test_division_by_zero(divide: object) -> None:
    with pytest.raises(ShapeError, match="division by zero in"):
        divide()  # type: ignore[operator]


def test_a_name_put_to_zero_divides_nothing() -> None:
    with pytest.raises(ShapeError, match="division by zero in d//0"):
        substitute(D // H, {H: 0})


@pytest.mark.parametrize("expression", ["D + 'x'", "1.5 * D", "D**-1", "D < T", "D / 2", "2**D", "D // None"])
def test_what_is_no_size(expression: str) -> None:
    with pytest.raises(TypeError):
        eval(expression)


def test_printing_does_not_hang_on_which_name_came_first() -> None:
    h, b = axis("h", "backwards"), axis("b", "backwards")
    assert str(h * b + h + b) == "b*h+b+h"
    assert str(maximum(h, b)) == str(maximum(b, h)) == "max(b, h)"


def test_a_dim_is_a_value() -> None:
    size = H * (D // H) + 1
    assert copy.copy(size) == copy.deepcopy(size) == size
    assert len({size, 1 + (D // H) * H, D}) == 2
    assert repr(size) == "Dim(h*(d//h)+1)"
    assert size != 1
    assert pickle.loads(pickle.dumps(size)) == size


def test_a_dim_is_the_same_size_after_a_way_to_another_process_and_back() -> None:
    nobody_knows = unknown("n", low=0)
    sizes = (quotient(D, H) * B + nobody_knows, maximum(B, T % 3), nobody_knows)
    there = pickle.dumps(sizes)
    code = "import pickle, sys; sys.stdout.buffer.write(pickle.dumps(pickle.loads(sys.stdin.buffer.read())))"
    back = subprocess.run([sys.executable, "-c", code], input=there, capture_output=True, check=True).stdout
    mixed, greatest, alone = pickle.loads(back)
    assert (str(mixed), greatest) == (str(sizes[0]), sizes[1])
    assert pickle.loads(there) == sizes
    assert same(mixed, quotient(D, H) * B + alone) is True


@pytest.mark.parametrize(
    "compute",
    [
        lambda: (B + T + D + H + K) ** 40,
        lambda: D**1000,
        lambda: (2**200 * D) ** 64,
        lambda: maximum(*(axis(f"n{i}") for i in range(100))),
    ],
)
def test_what_grows_too_long_is_unknown(compute: object) -> None:
    assert str(compute()) == "?"  # type: ignore[operator]


def test_a_loop_of_divisions_stays_small() -> None:
    size: Size = H
    for _ in range(60):
        size = (size + B) // K + size % 3
    assert len(str(size)) < 50_000


def test_long_sums_take_few_steps() -> None:
    """An addition that called a function for each term there is would make half a million calls more."""
    assert steps(_add_and_compare_a_thousand_names) < 400_000


def _add_and_compare_a_thousand_names() -> None:
    names = [axis(f"n{i}") for i in range(1000)]
    total: Size = 0
    for name in names:
        total = total + name
    assert same(total, total + 1) is False
    assert same(total, D) is None
    assert (total * B) // B == total
    assert len(str(total // 2)) > 4000
