"""The strings that a parameter whose default is None may be: the called code compares it with them.

`Head(activation=None)` passes it to `Activation(activation)`, whose branches are for "sigmoid" and "softmax". What
fails there may need other arguments, so only what some rules report of a branch is certain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.engine.argument_binding import positional_names
from shapecheck.static.engine.findings import Finding
from shapecheck.static.entry.variants import Variant, constructor_of, defaulted, scope_of, strings_compared

_MOST_STRINGS = 8
_CODES = frozenset(("softmax-dim",))


def passed_strings(function: FunctionValue) -> Iterator[Variant]:
    """The variants of a function whose callee compares an argument with strings."""
    calls = [one for one in walk(function.node) if isinstance(one, ast.Call)]
    for parameter, default in defaulted(function):
        strings = [text for call in calls for text in _compared_by(function, call, parameter.name)] * (default is None)
        for text in list(dict.fromkeys(strings))[:_MOST_STRINGS]:
            yield Variant(function.closure.loaded, scope_of(function), parameter, default, text)


def is_of_branch(finding: Finding, _variant: Variant) -> bool:
    """Whether a finding holds whatever the other arguments are."""
    return finding.diagnostic.code in _CODES


def _compared_by(function: FunctionValue, call: ast.Call, name: str) -> Iterator[str]:
    """The strings with which the callee compares the parameter that receives a variable."""
    given = [one for one in call.args if isinstance(one, ast.Name) and one.id == name]
    named = [one.arg for one in call.keywords if isinstance(one.value, ast.Name) and one.value.id == name]
    if not given and not named:
        return
    callee = _named(function, call.func)
    called = constructor_of(callee) if isinstance(callee, ClassValue) else callee
    if not isinstance(called, FunctionValue):
        return
    if given:
        place = call.args.index(given[0]) + (called.owner is not None)
        named += positional_names(called.node.args)[place : place + 1]
    for one in named:
        yield from strings_compared(scope_of(called)).get(one or "", ())


def _named(function: FunctionValue, callee: ast.expr) -> Value:
    """What a name refers to in the module; None for other expressions."""
    names: Namespace | None = function.closure
    while isinstance(callee, ast.Name) and names is not None:
        if callee.id in names.fields:
            return names.fields[callee.id]
        names = names.parent
    return None
