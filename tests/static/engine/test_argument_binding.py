"""Parameters and their defaults, as Python's own `inspect` sees them."""

from __future__ import annotations

import ast
import inspect

import pytest

from shapecheck.static.engine.argument_binding import parameters_of, positional_names, written_default

SIGNATURES = ["", "a", "a, b=1", "a, /, b=2, *, c, d=3", "*args", "a=1, /, *args, b, c=None, **rest", "*, a=1, b"]


def spec_of(signature: str) -> ast.arguments:
    function = ast.parse(f"def f({signature}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.args


@pytest.mark.parametrize("signature", SIGNATURES)
def test_parameters_are_those_of_inspect(signature: str) -> None:
    names: dict[str, object] = {}
    exec(f"def f({signature}): ...", names)
    expected = [
        (one.name, one.default, one.kind)
        for one in inspect.signature(names["f"]).parameters.values()  # type: ignore[arg-type]
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    kinds = {
        (True, False): inspect.Parameter.POSITIONAL_ONLY,
        (True, True): inspect.Parameter.POSITIONAL_OR_KEYWORD,
        (False, True): inspect.Parameter.KEYWORD_ONLY,
    }
    found = [
        (
            one.name,
            inspect.Parameter.empty if one.default is None else ast.literal_eval(one.default),
            kinds[one.by_position, one.by_name],
        )
        for one in parameters_of(spec_of(signature))
    ]
    assert found == expected


def test_names_and_defaults_of_some_parameters() -> None:
    spec = spec_of("a, /, b=2, *, c, d=3")
    assert positional_names(spec) == ("a", "b")
    assert [name for name in "abcde" if written_default(spec, name)] == ["b", "d"]
