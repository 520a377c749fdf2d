from __future__ import annotations

import pytest

from shapecheck.spec.dim import Size, axis, maximum, minimum
from shapecheck.spec.errors import AnnotationError
from shapecheck.spec.expression import parse_size

B, D, H = (axis(name) for name in "bdh")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("d", D),
        ("7", 7),
        ("-1", -1),
        ("+d", D),
        ("2*d+1", 2 * D + 1),
        (" 2 * d + 1 ", 2 * D + 1),
        ("b//2", B // 2),
        ("d%h", D % H),
        ("h*d", H * D),
        ("d**2", D * D),
        ("2*(d-1)", 2 * D - 2),
        ("-d//2", (-D) // 2),
        ("max(b, d)", maximum(B, D)),
        ("min(b, d+1, 3)", minimum(B, D + 1, 3)),
        ("(b\n+d)", B + D),
        ("größe", axis("größe")),
        ("7//2", 3),
        ("+".join(["d"] * 900), 900 * D),
    ],
)
def test_reads(text: str, size: Size) -> None:
    assert parse_size(text) == size


def test_names_are_of_the_scope() -> None:
    assert parse_size("d+1", scope="f") == axis("d", "f") + 1
    assert parse_size("d+1", scope="") != D + 1


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("d+1.5", 2, '"1.5" is not an integer'),
        ("d+'x'", 2, "is not an integer"),
        ("d+True", 2, '"True" is not an integer'),
        ("None", 0, "None is not a size"),
        ("b+d/2", 2, "use // for division"),
        ("b+d//0", 2, 'division by zero in "d//0"'),
        ("1//0", 0, 'division by zero in "1//0"'),
        ("  b+d.x", 4, '"d.x" is not a size expression'),
        ("größe+d.x", 6, '"d.x" is not a size expression'),
        ("b+f(d)", 2, "only max"),
        ("b+max()", 2, "requires at least one size"),
        ("max(b, key=d)", 0, "only max"),
        ("max(*b)", 4, "is not a size expression"),
        ("d**h", 3, "expected an exponent from 0 to 64, got"),
        ("d**-1", 3, "expected an exponent from 0 to 64, got"),
        ("d**99999999", 3, "expected an exponent from 0 to 64, got"),
        ("d # comment", 2, "is not a size expression"),
        ("[d]", 0, "is not a size expression"),
        ("d if h else b", 0, "is not a size expression"),
        ("lambda: d", 0, "is not a size expression"),
        ("d == h", 0, "is not a size expression"),
        ("~d", 0, "is not a size expression"),
        ("9" * 50, 0, "expected a number of at most 40 digits"),
    ],
)
def test_refuses(text: str, column: int, message: str) -> None:
    with pytest.raises(AnnotationError, match=message) as caught:
        parse_size(text)
    assert caught.value.column == column


@pytest.mark.parametrize("text", ["", "  ", "2*", "2d", "d; h", "d h", "(d", "d)", "d\0", "d :=", "\ud800"])
def test_refuses_what_is_no_python(text: str) -> None:
    with pytest.raises(AnnotationError) as caught:
        parse_size(text)
    assert 0 <= caught.value.column <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 150 + "d" + ")" * 150,
        "(" * 5000,
        "-" * 5000 + "d",
        "-" * 100 + "d",
        "1+(" * 80 + "d" + ")" * 80,
        "d" * 20_000 + "+1",
        "d." * 4000 + "d",
        "max(" * 70 + "d" + ")" * 70,
    ],
)
def test_refuses_what_is_too_long_or_too_deep(text: str) -> None:
    try:
        assert parse_size(text) == D  # parentheses alone are no nesting
    except AnnotationError as error:
        assert len(str(error)) < 300
