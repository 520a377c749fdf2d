"""spec.call_wording: calls that do not bind, in the words of Python's own TypeError."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from shapecheck.spec.call_wording import refusal


def plain(x: object, dim: object) -> None: ...


def optional(x: object, dim: object = None, keepdim: object = False) -> None: ...


def none() -> None: ...


def by_name(x: object, *, weight: object, bias: object) -> None: ...


def by_position(x: object, /, dim: object = None) -> None: ...


CALLS: list[tuple[Callable[..., None], tuple[int, ...], dict[str, int]]] = [
    (plain, (1, 2, 3), {}),
    (optional, (1, 2, 3, 4), {}),
    (optional, (), {}),
    (plain, (), {}),
    (plain, (1,), {"x": 1}),
    (optional, (1,), {"other": 1}),
    (by_name, (1,), {}),
    (by_name, (1,), {"weight": 1}),
    (by_name, (1, 2), {}),
    (by_position, (), {}),
]


@pytest.mark.parametrize(("function", "args", "kwargs"), CALLS)
def test_the_words_are_pythons(function: Any, args: tuple[int, ...], kwargs: dict[str, int]) -> None:
    with pytest.raises(TypeError) as caught:
        function(*args, **kwargs)
    expected = str(caught.value).partition("() ")[2].replace("'", '"')
    assert refusal(inspect.signature(function), len(args), kwargs) == expected


@pytest.mark.parametrize(
    ("name", "hint"),
    [("axis", "; did you mean dim?"), ("axes", "; did you mean dim?"), ("keep", "; did you mean keepdim?")],
)
def test_a_similar_name_is_suggested(name: str, hint: str) -> None:
    why = refusal(inspect.signature(optional), 1, {name: 1})
    assert why == f'got an unexpected keyword argument "{name}"{hint}'


def test_nothing_is_given_to_a_function_without_parameters() -> None:
    assert refusal(inspect.signature(none), 1, {}) == "takes 0 positional arguments but 1 was given"
