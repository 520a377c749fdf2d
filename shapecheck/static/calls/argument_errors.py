"""Argument errors: calls of the project's functions with arguments that their parameters do not accept."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.ops import Unknown
from shapecheck.spec import call_wording
from shapecheck.static.calls.substitution import may_be_replaced
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MaybeAbsent
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.argument_binding import (
    UNKNOWN_ARGUMENTS,
    UNKNOWN_KEYWORDS,
    parameters_of,
    positional_names,
)
from shapecheck.static.engine.places import note_at
from shapecheck.static.engine.run import Run

_UNKNOWN = frozenset((UNKNOWN_ARGUMENTS, UNKNOWN_KEYWORDS))


def argument_error(
    run: Run,
    node: ast.AST | None,
    function: FunctionValue,
    args: tuple[Value, ...],
    kwargs: Mapping[str, Value],
) -> Value:
    """The result of a call whose arguments do not bind; reports a finding if the call is unconditional."""
    receivers = receivers_of(function, args)
    why = refusal(function.node.args, receivers, len(args), kwargs)
    if (
        not why
        or not isinstance(node, ast.Call)
        or not run.is_unconditional
        or may_be_replaced(run, node, function, args)
    ):
        return Unknown("arguments that do not match the parameters")
    defined = note_at(function.closure.loaded, function.node, f"{function.name} is defined here")
    return run.report("wrong-call", node, f"{_called(function, receivers)}() {why}", lambda: [defined])


def refusal(spec: ast.arguments, receivers: int, count: int, kwargs: Mapping[str, Value]) -> str:
    """Returns why `count` positional arguments (including implicit receivers) and keyword arguments do not bind.

    Empty if they do, or if that is unknown.
    """
    if not kwargs.keys().isdisjoint(_UNKNOWN) or any(isinstance(one, MaybeAbsent) for one in kwargs.values()):
        return ""
    parameters = parameters_of(spec)
    positional = positional_names(spec)
    if count > len(positional) and spec.vararg is None:
        required = sum(one.default is None for one in parameters if one.name in positional) - receivers
        return call_wording.too_many(required, len(positional) - receivers, count - receivers)
    named = {one.name for one in parameters if one.by_name}
    twice = [name for name in positional[:count] if name in named and name in kwargs]
    if twice:
        return call_wording.repeated(twice[0])
    unexpected = [name for name in kwargs if name not in named]
    if unexpected and spec.kwarg is None:
        return call_wording.unexpected(unexpected[0], [one.name for one in parameters if one.by_name])
    unbound = (one.name for one in parameters if one.default is None and one.name not in positional[:count])
    missing = [name for name in unbound if name not in kwargs or name not in named]
    first = [one for one in missing if one in positional]
    if first:
        return call_wording.missing(first)
    return call_wording.missing(missing, "keyword-only") if missing else ""


def receivers_of(function: FunctionValue, args: tuple[Value, ...]) -> int:
    """The number of implicit arguments: 1 for `self` or `cls`, else 0."""
    return int(function.owner is not None and bool(args) and isinstance(args[0], (Instance, ClassValue)))


def _called(function: FunctionValue, receivers: int) -> str:
    if function.owner is None or not receivers:
        return function.name
    owner = function.owner.node.name
    return owner if function.name == "__init__" else f"{owner}.{function.name}"
