"""Call expressions: evaluates the callee and its arguments, and unpacks starred ones."""

from __future__ import annotations

import ast

from shapecheck.ops import Trait, Unknown, names_with
from shapecheck.spec import TensorSpec
from shapecheck.static.calls.call import is_of_project, notify_stacked
from shapecheck.static.calls.hooked_attributes import havoc_hooked_layer
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of, without_none
from shapecheck.static.domain.objects import DictValue, Instance
from shapecheck.static.domain.open_sizes import OpenSizes, with_sizes
from shapecheck.static.domain.unknown_options import UNKNOWN_KINDS
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference
from shapecheck.static.engine.argument_binding import UNKNOWN_ARGUMENTS, UNKNOWN_KEYWORDS
from shapecheck.static.engine.closures import holder
from shapecheck.static.engine.dispatch import Arguments, Keywords, dispatch, evaluate
from shapecheck.static.engine.escape import havoc_called_back, havoc_escaped, havoc_own
from shapecheck.static.engine.iteration import items_in, items_of
from shapecheck.static.engine.lost_writes import havoc_lost_tensors
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.containers import of_unknown_number
from shapecheck.static.operators.in_place_reshaping import reshape_in_place, reshapes_in_place, resize_out
from shapecheck.static.operators.open_size_lists import change_sizes, changes_sizes

_SEQUENTIAL = "torch.nn.Sequential"
_HOOKING = frozenset(("register_forward_hook", "register_forward_pre_hook"))


def call_written(run: Run, node: ast.Call) -> Value:
    """Evaluates the callee and the arguments, then the call."""
    function = without_none(evaluate(run, node.func))
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    for at, one in enumerate(node.args):
        if isinstance(one, ast.Starred):
            spread = evaluate(run, one.value)
            more = items_of(spread)
            if more is None and (_is_constructor(node.func) or is_of_project(function)):
                kwargs[UNKNOWN_ARGUMENTS] = spread
                break
            if (
                isinstance(spread, OpenSizes)
                and (sizes := _spread_sizes(run, node, at, function, args, spread)) is not None
            ):
                args = [sizes]
                break
            if more is None:
                notify_stacked(run, node, function, (spread,))
                rest = [evaluate(run, other) for other in node.args[at + 1 :] if not isinstance(other, ast.Starred)]
                _evaluate_all(run, node)
                is_sequential = isinstance(function, ExternalReference) and function.name == _SEQUENTIAL
                if is_sequential and at + 1 + len(rest) == len(node.args):
                    return of_unknown_number([*args, *rest], spread)
                return Unknown("an unknown number of arguments")
            args += more
        else:
            args.append(evaluate(run, one))
    _add_named(run, node, kwargs)
    if isinstance(node.func, ast.Attribute):
        result = _call_attribute(run, node, node.func, function, tuple(args), kwargs)
    else:
        result = dispatch.call(run, node, function, tuple(args), kwargs)
    if "out" in kwargs and isinstance(function, (ExternalReference, BuiltinMethod)):
        resize_out(run, node, result)
    return result


def _add_named(run: Run, node: ast.Call, kwargs: dict[str, Value]) -> None:
    """Evaluates the keyword arguments."""
    for keyword in node.keywords:
        value = evaluate(run, keyword.value)
        value = value if keyword.arg is not None else items_in(value) or value
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif (named := _named_arguments(value)) is not None:
            kwargs |= named
        else:
            kwargs[UNKNOWN_KEYWORDS] = value


def _call_attribute(
    run: Run, node: ast.Call, written: ast.Attribute, function: Value, args: Arguments, kwargs: Keywords
) -> Value:
    """Calls `a.b`, which may change `a`."""
    for rule in run.rules.method.get(written.attr):
        rule(run, node, function)
    result = dispatch.call(run, node, function, args, kwargs)
    if type(function) in UNKNOWN_KINDS:
        _havoc_owner(run, written.value)
        havoc_lost_tensors(run, written.attr)
        if changes_sizes(written.attr):
            change_sizes(run, written.value, written.attr, args)
    if reshapes_in_place(written.attr):
        reshape_in_place(run, written.value, getattr(function, "receiver", None), result)
    if "hook" in written.attr:
        havoc_escaped(run, (*args, *kwargs.values()))
    if written.attr in _HOOKING and args:
        havoc_hooked_layer(run, written.value, function, args[0])
    return result


def _havoc_owner(run: Run, part: ast.expr) -> None:
    """Havocs what a method of an unknown part may change: of `a[0].set(x)`, all of `a`, to which the part may refer.

    Of `a.b.set(x)`, what the methods change that `a` has given to other code; of `b.set(x)`, those of `self`.
    """
    is_element = False
    while isinstance(part, (ast.Subscript, ast.Call, ast.Attribute)):
        is_element |= not isinstance(part, ast.Attribute)
        part = part.func if isinstance(part, ast.Call) else part.value
    if not isinstance(part, ast.Name):
        return
    owners = _objects_named(run, part.id)
    for one in owners or _objects_named(run, "self"):
        (havoc_own if is_element and owners else havoc_called_back)(run, one)


def _objects_named(run: Run, name: str) -> list[Instance]:
    """The objects of the project that a variable may be."""
    names = holder(run.frame.scope, name)
    return [] if names is None else [one for one in members_of(names.fields[name]) if isinstance(one, Instance)]


def _spread_sizes(
    run: Run, node: ast.Call, at: int, function: Value, before: list[Value], part: OpenSizes
) -> Value | None:
    """The sizes of `x.view(a, *x.shape[1:], b)` as one argument; None for another call."""
    name = function.name if isinstance(function, (BuiltinMethod, ExternalReference)) else ""
    if name.rpartition(".")[2] not in names_with(Trait.TAKES_SIZES) or (before and isinstance(before[0], TensorSpec)):
        return None
    if any(isinstance(one, ast.Starred) for one in node.args[at + 1 :]):
        return None
    return with_sizes(before, part, [evaluate(run, one) for one in node.args[at + 1 :]])


def _is_constructor(function: ast.expr) -> bool:
    """Whether it is `super().__init__`, whose body runs whatever its arguments are."""
    return isinstance(function, ast.Attribute) and function.attr == "__init__"


def _named_arguments(value: Value) -> dict[str, Value] | None:
    """Returns the arguments that `**value` passes; None if its keys are unknown or not all strings."""
    if not isinstance(value, DictValue) or value.lost:
        return None
    named = {key: item for key, item in value.items.items() if isinstance(key, str)}
    return named if len(named) == len(value.items) else None


def _evaluate_all(run: Run, node: ast.Call) -> None:
    for keyword in node.keywords:
        evaluate(run, keyword.value)
