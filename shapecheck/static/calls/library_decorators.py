"""Decorators of libraries around functions of the same libraries: which ones keep what a call does to tensors.

A wrapper that is declared with `functools.wraps` has the contract of the function that it wraps: it converts
deprecated arguments, fills in defaults or records something. So a call runs the function itself. A keyword argument
that the decorator names is one that the wrapper handles; the result of a call that passes it is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.calls.decorators import decorator_function, returns_its_argument
from shapecheck.static.calls.transparent_decorators import is_registering, is_transparent_decorator
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.engine.run import Run


def keeps_contract(run: Run, function: FunctionValue) -> bool:
    """Whether each decorator of a library's function keeps what a call does to tensors."""
    if not function.closure.loaded.is_library:
        return False
    return all(_keeps(run, function, one) for one in _decorators(function))


def keeps_library_class(run: Run, cls: ClassValue, decorator: ast.expr) -> bool:
    """Whether a decorator only documents a class of a library."""
    return cls.closure.loaded.is_library and _is_documenting(decorator)


def is_wrapped(function: FunctionValue) -> bool:
    """Whether a function of a library has decorators, so that a call may pass other arguments than it takes."""
    return function.closure.loaded.is_library and not all(map(is_transparent_decorator, _decorators(function)))


def reads_keyword(run: Run, function: FunctionValue, names: Iterable[str]) -> bool:
    """Whether a decorator of a function mentions one of these keyword arguments."""
    given = frozenset(names)
    return bool(given) and any(not given.isdisjoint(_mentioned(run, function, one)) for one in _decorators(function))


def _decorators(function: FunctionValue) -> list[ast.expr]:
    return getattr(function.node, "decorator_list", [])


def _keeps(run: Run, function: FunctionValue, decorator: ast.expr) -> bool:
    if is_transparent_decorator(decorator) or is_registering(decorator) or _is_documenting(decorator):
        return True
    if returns_its_argument(run, function.closure, decorator, function.owner):
        return True
    found = _function_of(run, function, decorator)
    return found is not None and _declares_wrapper(found.node)


def _mentioned(run: Run, function: FunctionValue, decorator: ast.expr) -> frozenset[str]:
    if is_transparent_decorator(decorator) or _is_documenting(decorator):
        return frozenset()
    found = _function_of(run, function, decorator)
    return _strings(decorator) | (_strings(found.node) if found is not None else frozenset())


def _function_of(run: Run, function: FunctionValue, decorator: ast.expr) -> FunctionValue | None:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return decorator_function(run, function.closure, target, function.owner)


def _is_documenting(decorator: ast.expr) -> bool:
    """Whether a decorator changes documentation, by its name: `@add_start_docstrings(...)`."""
    return "docstring" in name_of_callee(decorator)


@cached_on_node
def _declares_wrapper(node: ast.AST) -> bool:
    """Whether a decorator contains a function that is declared to wrap another."""
    inner = (one for one in walk(node) if isinstance(one, ast.FunctionDef))
    return any(name_of_callee(decorator) == "wraps" for one in inner for decorator in one.decorator_list)


@cached_on_node
def _strings(node: ast.AST) -> frozenset[str]:
    return frozenset(one.value for one in walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str))
