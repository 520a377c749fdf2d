"""Functions: their values, the binding of arguments, and running their bodies in a frame of their own."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.static.alternatives import Never
from shapecheck.static.contracts import contract_of
from shapecheck.static.join import join
from shapecheck.static.machine import MOST_DEPTH, Frame, Machine, Place
from shapecheck.static.values import ClassValue, DictValue, FunctionValue, ListValue, Namespace, Value

_KEEPING = frozenset(
    """
    no_grad inference_mode jaxtyped typechecked beartype staticmethod classmethod property cached_property wraps
    override overload enable_grad compile script_if_tracing autocast custom_fwd custom_bwd final abstractmethod
    lru_cache cache ignore unused export
    """.split()
)


def function_value(machine: Machine, node: Any, owner: ClassValue | None = None) -> FunctionValue:
    """The function that a `def` or a lambda makes here and now."""
    from shapecheck.static.expressions import evaluate  # noqa: PLC0415 - expressions hold lambdas

    defaults = tuple(evaluate(machine, one) for one in node.args.defaults)
    kw_defaults = tuple(_MISSING if one is None else evaluate(machine, one) for one in node.args.kw_defaults)
    return FunctionValue(node, machine.frame.names, defaults, kw_defaults, owner)


_MISSING = object()


def keeps_meaning(node: ast.expr) -> bool:
    """Whether a decorator leaves alone what a function does to tensors."""
    target = node.func if isinstance(node, ast.Call) else node
    name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
    return name in _KEEPING


def run_function(
    machine: Machine,
    node: ast.AST | None,
    function: FunctionValue,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
) -> Value:
    """Runs the function's body on these arguments; Unknown where that would go too deep or the call does not bind."""
    from shapecheck.static.expressions import evaluate  # noqa: PLC0415 - expressions hold calls
    from shapecheck.static.statements import run_block  # noqa: PLC0415

    depth = sum(frame.function is function.node for frame in machine.frames)
    if len(machine.frames) >= MOST_DEPTH or depth > 1:
        return Unknown("a deep call")
    if any(not keeps_meaning(one) for one in getattr(function.node, "decorator_list", [])):
        return Unknown("a decorator that is not modelled")
    bound = bind(function, args, kwargs)
    if bound is None:
        return Unknown("the arguments do not fit")
    machine.called.add(function.node)
    names = Namespace(function.closure.loaded, function.closure)
    call = None if node is None else Place(machine.loaded, node)
    contract = contract_of(machine, function)
    if contract is not None and node is not None:
        bound = contract.check_arguments(machine, node, function.name, bound)
    frame = Frame(names, function.node, call)
    frame.started = machine.journal.mark()
    if contract is not None:
        given = bound
        frame.on_return = lambda place, value: contract.check_return(machine, place, value, given)
    with machine.inside(frame):
        for name, value in bound.items():
            machine.journal.write(names, name, value)
        machine.journal.write(names, "__class__", function.owner)
        if isinstance(function.node, ast.Lambda):
            return evaluate(machine, function.node.body)
        if run_block(machine, function.node.body):
            leave_function(machine, None)
        if frame.exits:
            machine.journal.undo(frame.started)
            machine.journal.merge(frame.exits)
        return _yielded(frame) if _is_generator(function.node) else _returned(frame)


def leave_function(machine: Machine, value: Value) -> None:
    """A way out of the function that is being run, with what it returns."""
    frame = machine.frame
    frame.returned.append(value)
    if frame.open_branches or frame.exits:
        frame.exits.append(machine.journal.since(frame.started))


def _yielded(frame: Frame) -> Value:
    return Unknown("a generator that branches") if frame.branched else ListValue(tuple(frame.yielded))


def _returned(frame: Frame) -> Value:
    if not frame.returned:
        return Never("it never returns")
    result = frame.returned[0]
    for value in frame.returned[1:]:
        result = join(result, value)
    return result


@lru_cache(maxsize=4096)
def _is_generator(node: ast.AST) -> bool:
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(node))


def bind(function: FunctionValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> dict[str, Value] | None:
    """The arguments by parameter; None where they do not fit."""
    spec = function.node.args
    positional = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    bound: dict[str, Value] = dict(zip(positional, args, strict=False))
    extra = dict(kwargs)
    if len(args) > len(positional) and spec.vararg is None:
        return None
    if spec.vararg is not None:
        bound[spec.vararg.arg] = tuple(args[len(positional) :])
    for name in (*positional, *(one.arg for one in spec.kwonlyargs)):
        if name in extra:
            if name in bound:
                return None
            bound[name] = extra.pop(name)
    bound = _with_defaults(function, positional, bound)
    if extra and spec.kwarg is None:
        return None
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = DictValue(dict(extra))
    due = {*positional, *(one.arg for one in spec.kwonlyargs)}
    return bound if due <= bound.keys() else None


def _with_defaults(function: FunctionValue, positional: list[str], bound: dict[str, Value]) -> dict[str, Value]:
    first = len(positional) - len(function.defaults)
    for name, value in zip(positional[first:], function.defaults, strict=True):
        bound.setdefault(name, value)
    for one, value in zip(function.node.args.kwonlyargs, function.kw_defaults, strict=True):
        if value is not _MISSING:
            bound.setdefault(one.arg, value)
    return bound
