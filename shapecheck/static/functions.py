"""Functions: their values, the binding of arguments, and running their bodies in a frame of their own."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.alternatives import Never, Perhaps
from shapecheck.static.autocast import is_decorated, switched_on
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.agreement import Agreement, agree
from shapecheck.static.contracts.overloads import chosen
from shapecheck.static.contracts.unfollowed import is_stub, result_of_decorated
from shapecheck.static.decorators import gives_back
from shapecheck.static.evaluation import evaluate, run_block
from shapecheck.static.frames import Frame
from shapecheck.static.join import join
from shapecheck.static.machine import MOST_DEPTH, Machine
from shapecheck.static.misfits import misfit
from shapecheck.static.places import Place
from shapecheck.static.provenance.origins import Called
from shapecheck.static.values import ClassValue, DictValue, FunctionValue, ListValue, Namespace, Value, births

_KEEPING = frozenset(
    """
    no_grad inference_mode jaxtyped typechecked beartype staticmethod classmethod property cached_property wraps
    override overload enable_grad compile script_if_tracing autocast custom_fwd custom_bwd final abstractmethod
    lru_cache cache ignore unused export _script_if_tracing script_method
    """.split()
)


_OF_TRACING = ("torch.fx.wrap", "fx.wrap")


def function_value(machine: Machine, node: Any, owner: ClassValue | None = None) -> FunctionValue:
    """The function that a `def` or a lambda makes here and now."""
    defaults = tuple(evaluate(machine, one) for one in node.args.defaults)
    kw_defaults = tuple(MISSING if one is None else evaluate(machine, one) for one in node.args.kw_defaults)
    return FunctionValue(node, machine.frame.names, defaults, kw_defaults, owner)


MISSING = object()
"""Stands for the default that a keyword parameter does not have."""


UNKNOWN_KEYWORDS = "**"
"""Among keyword arguments: there may be any others."""


def keeps_meaning(node: ast.expr) -> bool:
    """Whether a decorator leaves alone what a function does to tensors."""
    target = node.func if isinstance(node, ast.Call) else node
    name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
    return name in _KEEPING or (name == "wrap" and ast.unparse(target) in _OF_TRACING)


@cached_on_node
def decorators_keep_meaning(node: ast.AST) -> bool:
    """Whether all its decorators, which are known by name, leave alone what a function does to tensors."""
    return all(map(keeps_meaning, getattr(node, "decorator_list", [])))


def run_function(
    machine: Machine,
    node: ast.AST | None,
    function: FunctionValue,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
) -> Value:
    """Runs the function's body on these arguments; Unknown where that would go too deep or the call does not bind."""
    since = next(births)
    bound = bind(function, args, kwargs)
    if bound is None:
        known = not _not_followed(machine, function)
        return misfit(machine, node, function, args, kwargs) if known else Unknown("the arguments do not fit")
    call = None
    if machine.origins.noted:
        call = Called(node, machine.frame.names, function, len(args), bound, kwargs)

    def run() -> Value:
        if not function.overloads:
            return run_bound(machine, node, function, bound, call)
        overloads = chosen(machine, node, function, _bound_overloads(function, args, kwargs))
        if overloads.refusal is not None:
            return Unknown("no overload fits")
        return overloads.narrowed_result(run_bound(machine, node, function, bound, call))

    return machine.memo.call(machine, function, bound, since, run)


def run_bound(
    machine: Machine,
    node: ast.AST | None,
    function: FunctionValue,
    bound: dict[str, Value],
    call: Called | None = None,
) -> Value:
    """Runs the function's body on arguments that are bound to its parameters."""
    why = _not_followed(machine, function)
    if why == _DECORATED:
        return result_of_decorated(machine, function, bound)
    agreement = agree(machine, node, function, bound)
    if agreement is None:
        return Unknown(why) if why else _run_body(machine, node, function, bound, None, call)
    if why or is_stub(function.node):
        return agreement.narrowed_result(Unknown(why))
    # What follows from a wrong argument is no finding of its own; what the body does with right ones is seen alone.
    with nullcontext() if agreement.holds else machine.quietly():
        return agreement.narrowed_result(_run_body(machine, node, function, agreement.arguments, agreement, call))


_DECORATED = "a decorator that is not modelled"


def _not_followed(machine: Machine, function: FunctionValue) -> str:
    """Why the body is not run; empty where it is."""
    if len(machine.frames) >= MOST_DEPTH or not machine.may_recur(function.node):
        machine.hinder()
        return "a deep call"
    followed = decorators_keep_meaning(function.node) or _given_back(machine, function)
    return "" if followed else _DECORATED


def _given_back(machine: Machine, function: FunctionValue) -> bool:
    """Whether its decorators leave alone what it does, or give it back as it is."""
    decorators: list[ast.expr] = getattr(function.node, "decorator_list", [])
    return all(keeps_meaning(one) or gives_back(machine, function.closure, one, function.owner) for one in decorators)


def _bound_overloads(
    function: FunctionValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> list[tuple[FunctionValue, dict[str, Value]]]:
    bound = [(one, bind(one, args, kwargs)) for one in function.overloads]
    return [(one, arguments) for one, arguments in bound if arguments is not None]


def _run_body(
    machine: Machine,
    node: ast.AST | None,
    function: FunctionValue,
    bound: dict[str, Value],
    agreement: Agreement | None,
    call: Called | None,
) -> Value:
    if is_decorated(function.node):
        with switched_on(machine):
            return _run_statements(machine, node, function, bound, agreement, call)
    return _run_statements(machine, node, function, bound, agreement, call)


def _run_statements(
    machine: Machine,
    node: ast.AST | None,
    function: FunctionValue,
    bound: dict[str, Value],
    agreement: Agreement | None,
    call: Called | None,
) -> Value:
    machine.called.add(function.node)
    names = Namespace(function.closure.loaded, function.closure, {**bound, "__class__": function.owner})
    if call is not None:
        call.bound = bound
    names.call = call
    frame = Frame(names, function.node, None if node is None else Place(machine.loaded, node))
    generates = _is_generator(function)
    frame.agreement = None if generates else agreement
    frame.started = machine.journal.mark()
    with machine.inside(frame):
        if isinstance(function.node, ast.Lambda):
            return evaluate(machine, function.node.body)
        if run_block(machine, function.node.body):
            leave_function(machine, None)
        _run_annotated(machine, names)
        if frame.exits:
            machine.journal.undo(frame.started)
            machine.journal.merge(frame.exits)
        machine.journal.rejoin(frame.started)
        return _yielded(frame) if generates else _returned(frame)


def _run_annotated(machine: Machine, names: Namespace) -> None:
    """Runs the functions in a function alone that promise shapes, once."""
    if machine.is_quiet:
        return
    inner = [one for one in names.fields.values() if isinstance(one, FunctionValue) and one.closure is names]
    for one in inner:
        if one.node not in machine.alone and contract_of(machine, one) is not None:
            from shapecheck.static.alone import run_alone  # noqa: PLC0415 - to run alone is to run

            run_alone(machine, one)


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


def _is_generator(function: FunctionValue) -> bool:
    return function.closure.loaded.yields and _yields(function.node)


@cached_on_node
def _yields(node: ast.AST) -> bool:
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(node))


def bind(function: FunctionValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> dict[str, Value] | None:
    """The arguments by parameter; None where they do not fit."""
    spec = function.node.args
    positional, named = _parameters(spec)
    bound: dict[str, Value] = dict(zip(positional, args, strict=False))
    extra = dict(kwargs)
    if len(args) > len(positional) and spec.vararg is None:
        return None
    if spec.vararg is not None:
        bound[spec.vararg.arg] = tuple(args[len(positional) :])
    given = [name for name in named if name in extra] if extra else []
    if not bound.keys().isdisjoint(given):
        return None
    bound |= {name: extra.pop(name) for name in given}
    if UNKNOWN_KEYWORDS in extra:
        for name in named:
            bound.setdefault(name, Unknown(f"perhaps one of unknown keyword arguments is {name}"))
    bound = _with_defaults(function, positional, bound)
    if kwargs:
        _settle(function, bound)
    open_ended = extra.pop(UNKNOWN_KEYWORDS, None) is not None
    if spec.kwarg is None and not all(isinstance(one, Perhaps) for one in extra.values()):
        return None
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = _lost_dict() if open_ended else DictValue(dict(extra))
    return bound if named.keys() <= bound.keys() else None


def _settle(function: FunctionValue, bound: dict[str, Value]) -> None:
    """An argument that may not be given is that, or the default."""
    for name, value in bound.items():
        if isinstance(value, Perhaps):
            default = defaults_of(function).get(name, MISSING)
            bound[name] = value.value if default is MISSING else join(value.value, default)


def defaults_of(function: FunctionValue) -> dict[str, Value]:
    """The defaults by parameter."""
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    first = len(positional) - len(function.defaults)
    found = {one.arg: value for one, value in zip(positional[first:], function.defaults, strict=True)}
    named = zip(spec.kwonlyargs, function.kw_defaults, strict=True)
    return found | {one.arg: value for one, value in named if value is not MISSING}


@cached_on_node
def _parameters(spec: ast.arguments) -> tuple[tuple[str, ...], dict[str, None]]:
    """The names of the positional parameters, and of all that take one argument."""
    positional = tuple(one.arg for one in (*spec.posonlyargs, *spec.args))
    return positional, dict.fromkeys((*positional, *(one.arg for one in spec.kwonlyargs)))


def _lost_dict() -> DictValue:
    found = DictValue()
    found.fields["lost"] = True
    return found


def _with_defaults(function: FunctionValue, positional: Sequence[str], bound: dict[str, Value]) -> dict[str, Value]:
    first = len(positional) - len(function.defaults)
    for name, value in zip(positional[first:], function.defaults, strict=True):
        bound.setdefault(name, value)
    for one, value in zip(function.node.args.kwonlyargs, function.kw_defaults, strict=True):
        if value is not MISSING:
            bound.setdefault(one.arg, value)
    return bound
