"""No message shows an internal representation: every template is rendered with symbolic, unknown and long values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

import pytest

from tests.messages.samples import KINDS, Kind, values_of
from tests.messages.templates import Interpolation, Template, templates

_SYMBOLIC = ("shapecheck/spec/", "shapecheck/ops/", "shapecheck/conditions/", "shapecheck/static/", "shapecheck/mypy/")
"""Where values of the checked program are handled, so that each type must be known."""

_INTERNAL = re.compile(
    r"\b(?:Dim|Shape|TensorSpec|DType|Unknown|VariadicAxes|Bindings|Instance|Collection)\("
    r"|UNKNOWN|\bobject at 0x|<class |<function |(?<![.\w])(?:float|int|uint|complex|bfloat)\d*\("
)
_LONGEST_TEXT = 150
"""Characters of a template with all interpolations of three characters."""
_LONGEST_RENDERED = 2_500
"""Characters of a message about three long shapes."""
_MOST_RENDERINGS = 50


@pytest.fixture(autouse=True, scope="module")
def _released() -> Iterator[None]:
    """The types refer to all that mypy has read, which every later collection of garbage would go through."""
    yield
    templates.cache_clear()


def test_types_of_interpolations_are_presentable() -> None:
    wrong = [
        f"{template.place}: {part.source} is {error}: {template}"
        for template in templates()
        for part in template.interpolations
        if (error := _refusal(template, part))
    ]
    assert not wrong, "interpolate text, numbers, Shape, Dim or DType; value_text() renders any value:\n" + "\n".join(
        wrong
    )


_RENDERED = re.compile(r"(?:value_text|quoted|clipped)\(|type\(\w+\)\.__name__$")
"""Text in code that mypy takes for unreachable, where it infers no types."""


def _refusal(template: Template, part: Interpolation) -> str:
    if _RENDERED.match(part.source):
        return ""
    try:
        list(values_of("symbolic", part.type, opaque=_is_opaque(template)))
    except TypeError as error:
        return str(error)
    return ""


def _is_opaque(template: Template) -> bool:
    return not template.path.startswith(_SYMBOLIC)


@pytest.mark.parametrize("kind", KINDS)
def test_rendered_templates_show_nothing_internal(kind: Kind) -> None:
    leaks = [f"{one.place}: {text}" for one in templates() for text in _renderings(one, kind) if _INTERNAL.search(text)]
    assert not leaks, "\n".join(leaks)


@pytest.mark.parametrize("kind", KINDS)
def test_rendered_templates_are_bounded(kind: Kind) -> None:
    long = [
        f"{one.place}: {len(text)}"
        for one in templates()
        for text in _renderings(one, kind)
        if len(text) > _LONGEST_RENDERED
    ]
    assert not long, "\n".join(long)


def test_templates_are_short() -> None:
    long = [
        f"{one.place}: {len(text)}: {text}" for one in templates() if len(text := one.with_each("abc")) > _LONGEST_TEXT
    ]
    assert not long, "\n".join(long)


def _renderings(template: Template, kind: Kind) -> Iterator[str]:
    """The message with every combination of the members of its types, at most `_MOST_RENDERINGS`."""
    try:
        choices = [list(values_of(kind, part.type, opaque=_is_opaque(template))) for part in template.interpolations]
    except TypeError:  # test_types_of_interpolations_are_presentable reports it
        return
    for values in islice(product(*choices), _MOST_RENDERINGS):
        yield template.rendered(values)
