"""`if is_complex(x):` with a function of the project: the condition that it returns narrows its arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import FunctionValue, Namespace
from shapecheck.static.domain.values import Method
from shapecheck.static.engine.active_calls import may_follow
from shapecheck.static.engine.argument_binding import bind, positional_names
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import is_readable, plain, read, write

Narrow = Callable[[Run, ast.expr, bool], bool]

_MOST_STATEMENTS = 4
_TRANSPARENT = frozenset(("staticmethod", "classmethod", "cache", "lru_cache", "no_grad"))
_GUARDS = frozenset(("TypeGuard", "TypeIs"))


class Predicate(NamedTuple):
    """A call of a function of the project that returns a condition on its arguments."""

    function: FunctionValue
    receiver: tuple[Value, ...]
    condition: ast.expr


def predicate_of(run: Run, node: ast.Call) -> Predicate | None:
    """What a call calls, if it is a predicate; None otherwise, and if the calls are nested too deeply."""
    called = read(run, node.func)
    function = called.function if isinstance(called, Method) else called
    receiver: tuple[Value, ...] = (called.receiver,) if isinstance(called, Method) else ()
    if not isinstance(function, FunctionValue) or not may_follow(run, function.node, {}):
        return None
    condition = returned_condition(function.node)
    return None if condition is None or _divides(condition) else Predicate(function, receiver, condition)


def narrow_by_predicate(run: Run, node: ast.Call, predicate: Predicate, outcome: bool, narrow: Narrow) -> bool:
    """Narrows the arguments of a predicate that returned `outcome`; False if that is impossible."""
    function, receiver, condition = predicate
    named = {one.arg: one.value for one in node.keywords if one.arg is not None}
    if len(named) < len(node.keywords) or any(isinstance(one, ast.Starred) for one in node.args):
        return True
    args = (*receiver, *[read(run, one) for one in node.args])
    bound = bind(function, args, {name: read(run, one) for name, one in named.items()})
    if bound is None:
        return True
    names = Namespace(function.closure.loaded, function.closure)
    names.fields.update(bound)
    names.fields["__class__"] = function.owner
    with run.inside(Frame(names, function.node, Place(run.loaded, node))):
        if not narrow(run, condition, outcome):
            return False
    parameters = positional_names(function.node.args)[len(receiver) :]
    for name, argument in (*zip(parameters, node.args, strict=False), *named.items()):
        _pass_back(run, plain(argument), bound.get(name), names.fields.get(name))
    return True


def _pass_back(run: Run, argument: ast.expr, before: Value, after: Value) -> None:
    if after is not before and is_readable(argument):
        write(run, argument, after)


@cached_on_node
def _divides(condition: ast.expr) -> bool:
    """Whether it is about a remainder: substituting what follows from it costs more than it finds."""
    return any(isinstance(one, ast.Mod) for one in walk(condition))


@cached_on_node
def returned_condition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> ast.expr | None:
    """The condition whose truth a function returns; None if its body does more than that."""
    if isinstance(node, ast.Lambda):
        return node.body
    if isinstance(node, ast.AsyncFunctionDef) or not all(
        name_of_callee(one) in _TRANSPARENT for one in node.decorator_list
    ):
        return None
    body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    guarded = _guarded(node)
    return guarded if guarded is not None else _of_statements(body[: _MOST_STATEMENTS + 1])


def _guarded(node: ast.FunctionDef) -> ast.expr | None:
    """`isinstance(x, T)` for a function that returns `TypeGuard[T]`."""
    parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args) if one.arg not in ("self", "cls")]
    returns = node.returns
    if not isinstance(returns, ast.Subscript) or name_of_callee(returns.value) not in _GUARDS or not parameters:
        return None
    test = ast.Call(ast.Name("isinstance", ast.Load()), [ast.Name(parameters[0], ast.Load()), returns.slice], [])
    return ast.fix_missing_locations(ast.copy_location(test, returns))


def _of_statements(body: Sequence[ast.stmt]) -> ast.expr | None:
    """The condition that `if a: return True` and the statements after it return."""
    if not body or len(body) > _MOST_STATEMENTS:
        return None
    first, *rest = body
    if isinstance(first, ast.Return):
        return first.value
    if not isinstance(first, ast.If):
        return None
    taken, passed = _of_statements(first.body), _of_statements(first.orelse or rest)
    if taken is None or passed is None:
        return None
    one = _combined(ast.And(), first.test, taken)
    other = _combined(ast.And(), ast.UnaryOp(ast.Not(), first.test), passed)
    return ast.fix_missing_locations(ast.copy_location(_combined(ast.Or(), one, other), first))


def _combined(op: ast.boolop, *operands: ast.expr) -> ast.expr:
    """`a and True` is `a`, `a and False` is False, `False or a` is `a`."""
    neutral = isinstance(op, ast.And)
    kept = [one for one in operands if not (isinstance(one, ast.Constant) and one.value is neutral)]
    if any(isinstance(one, ast.Constant) and one.value is (not neutral) for one in kept):
        return ast.Constant(not neutral)
    return kept[0] if len(kept) == 1 else ast.BoolOp(op, kept) if kept else ast.Constant(neutral)
