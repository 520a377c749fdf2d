"""What the decorators of the project return: they are run, and a call of the function is a call of their result.

A decorator that can be recognized by its source (`decorators`) is not run. Decorators of libraries are never run.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.observed_code import ObservingFact, observe_fact
from shapecheck.project.tree_walk import children_of
from shapecheck.static.calls.decorators import FunctionNode, decorator_function
from shapecheck.static.calls.transparent_decorators import is_transparent_decorator
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run

_MOST_WRAPPERS = 4


def wrapper_of(run: Run, function: FunctionValue) -> FunctionValue | None:
    """The function that the decorators of a function return; None if that is unknown."""
    found: Value = _undecorated(function)
    for one in reversed(getattr(function.node, "decorator_list", [])):
        if not is_transparent_decorator(one):
            found = _applied(run, function.closure, one, found, function.owner)
    return found if isinstance(found, FunctionValue) else None


def call_wrapper(
    run: Run,
    node: ast.AST,
    function: FunctionValue,
    wrapper: FunctionValue,
    arguments: tuple[tuple[Value, ...], dict[str, Value]],
) -> Value:
    """The result of calling what the decorators of a function return."""
    result = dispatch.call(run, node, wrapper, *arguments)
    if _without_decorators(function.node) in run.called:
        run.called.add(function.node)
    return result


def runs_body(function: FunctionValue, wrapper: FunctionValue) -> bool:
    """Whether a wrapper is the function itself, or calls it outside of a `try`, with whatever arguments."""
    plain = _without_decorators(function.node)
    for _ in range(_MOST_WRAPPERS):
        if wrapper.node is plain:
            return True
        called = [_captured(wrapper.closure, name) for name in _called_names(wrapper.node)]
        inner = [one for one in called if isinstance(one, FunctionValue) and one.closure.parent is not None]
        if any(isinstance(one, FunctionValue) and one.node is plain for one in called):
            return True
        if not inner:
            return False
        wrapper = inner[0]
    return False


def keeps_class(run: Run, cls: ClassValue, decorator: ast.expr) -> bool:
    """Whether a decorator of the project returns the class that it receives, and sets no attribute of it."""
    known = run.session.kept_classes
    if decorator not in known:
        run.mark_uncacheable()
        known[decorator] = False  # while it is found out
        with run.silenced(), ObservingFact(decorator, "keeps_class"):
            found, changes = run.journal.apart(partial(_applied, run, cls.closure, decorator, cls, None))
        known[decorator] = found is cls and not any(target is cls for target, _ in changes)
    observe_fact(decorator, "keeps_class")
    return known[decorator]


def _applied(run: Run, names: Namespace, decorator: ast.expr, value: Value, owner: ClassValue | None) -> Value:
    """What a decorator of the project returns for a value; its other effects are undone."""
    if isinstance(value, Unknown):
        return value
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if decorator_function(run, names, target, owner) is None:
        return Unknown("a decorator of a library")

    def apply() -> Value:
        return dispatch.call(run, decorator, evaluate(run, decorator), (value,), {})

    with run.silenced(), run.inside(Frame(names)):
        return run.journal.apart(apply)[0]


def _undecorated(function: FunctionValue) -> FunctionValue:
    """The function before its decorators are applied, except for those that change nothing."""
    node = _without_decorators(function.node)
    return FunctionValue(node, function.closure, function.defaults, function.kw_defaults, function.owner)


@cached_on_node
def _without_decorators(node: FunctionNode) -> FunctionNode:
    made = copy.copy(node)
    if not isinstance(made, ast.Lambda):
        made.decorator_list = [one for one in made.decorator_list if is_transparent_decorator(one)]
    return made


def _captured(names: Namespace | None, name: str) -> Value:
    """The value of a name of the functions around a function."""
    while names is not None and names.parent is not None:
        if name in names.fields:
            return names.fields[name]
        names = names.parent
    return None


@cached_on_node
def _called_names(node: FunctionNode) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_calls(node.body if isinstance(node.body, list) else [node.body])))


def _calls(nodes: list[ast.stmt] | list[ast.expr]) -> Iterator[str]:
    """The names that these nodes call, except in a `try` that handles exceptions."""
    pending: list[ast.AST] = list(nodes)
    while pending:
        one = pending.pop()
        if isinstance(one, ast.Try) and one.handlers:
            continue
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
            yield one.func.id
        pending += children_of(one)
