"""Decorators of the project that return the decorated object, or a wrapper that forwards its arguments to it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import children_of, walk
from shapecheck.static.calls.transparent_decorators import is_registering, is_transparent_decorator
from shapecheck.static.contracts.name_resolution import AnnotationScope, resolve_name
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name, name_of_callee
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.run import Run

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def returns_its_argument(run: Run, names: Namespace, node: ast.expr, owner: ClassValue | None = None) -> bool:
    """Whether a decorator, evaluated in this scope, returns the decorated object or a transparent wrapper of it."""
    return _passes(
        _is_factory_of_arguments if isinstance(node, ast.Call) else _returns_argument, run, names, node, owner
    )


def returns_wrapper(run: Run, names: Namespace, node: ast.expr, owner: ClassValue | None = None) -> bool:
    """Whether it returns the decorated object or a wrapper that calls it, possibly with other arguments."""
    test = _is_factory_of_wrappers if isinstance(node, ast.Call) else _returns_wrapper
    return _passes(test, run, names, node, owner)


def is_static_wrapped(run: Run, function: FunctionValue) -> bool:
    """Whether a decorator above `@staticmethod` may return a plain function, which an object binds."""
    decorators = getattr(function.node, "decorator_list", [])
    above = decorators[: [name_of_callee(one) for one in decorators].index("staticmethod")]
    return not all(
        is_transparent_decorator(one)
        or is_registering(one)
        or returns_its_argument(run, function.closure, one, function.owner)
        for one in above
    )


def _passes(
    test: Callable[[FunctionNode], bool], run: Run, names: Namespace, node: ast.expr, owner: ClassValue | None
) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    function = decorator_function(run, names, target, owner)
    return function is not None and test(function.node)


def decorator_function(
    run: Run, names: Namespace, node: ast.expr, owner: ClassValue | None = None
) -> FunctionValue | None:
    """The function of a decorator: found by its name, or a method of an object such as a registry."""
    scope = AnnotationScope(run, names, owner)
    found = resolve_name(scope, node)
    holder = resolve_name(scope, node.value) if isinstance(node, ast.Attribute) else None
    if isinstance(node, ast.Attribute) and isinstance(holder, Instance):
        found = next((cls.fields[node.attr] for cls in holder.cls.mro() if node.attr in cls.fields), None)
    return found if isinstance(found, FunctionValue) else None


def register_by_decorators(run: Run, decorators: list[ast.expr], made: Value) -> None:
    """Runs the decorators of the same file that return their argument, so that registries contain it afterwards.

    Decorators of other files are skipped: the findings of a file must not depend on which files ran before it.
    """
    names = run.frame.names
    for one in reversed(decorators):
        function = decorator_function(run, names, one.func if isinstance(one, ast.Call) else one)
        if function is not None and function.closure.loaded is names.loaded and returns_its_argument(run, names, one):
            dispatch.call(run, one, evaluate(run, one), (made,), {})


@cached_on_node
def _returns_argument(node: FunctionNode) -> bool:
    """`def register(cls): ...; return cls`, or `def logged(function): ...; return wrapper`."""
    return _returns_one_of(node, lambda one, name: _forwards_arguments(one, name) and not _changes_arguments(one))


@cached_on_node
def _returns_wrapper(node: FunctionNode) -> bool:
    """`def renamed(function): ...; return wrapper`, where the wrapper may change the arguments."""
    return _returns_one_of(node, _forwards_arguments)


def _returns_one_of(node: FunctionNode, is_kept: Callable[[ast.FunctionDef, str], bool]) -> bool:
    """Whether it returns its argument or one of certain functions in it."""
    if isinstance(node, ast.Lambda):
        return False
    given = [one.arg for one in node.args.args if one.arg != "self"]
    if not given or node.name in ("__init__", "__new__"):
        return False
    name = given[0]
    inside = list(own_nodes(node.body))
    kept = {name, *(one.name for one in _functions_in(node) if is_kept(one, name))}
    returned = [one.value for one in inside if isinstance(one, ast.Return)]
    rebound = any(isinstance(one, ast.Name) and one.id in kept and isinstance(one.ctx, ast.Store) for one in inside)
    return bool(returned) and not rebound and all(isinstance(one, ast.Name) and one.id in kept for one in returned)


def _forwards_arguments(node: ast.FunctionDef, name: str) -> bool:
    """`@wraps(function) def wrapper(*args, **kwargs): ...; return function(*args, **kwargs)`."""
    spec = node.args
    if parameters_of(spec) or spec.vararg is None or spec.kwarg is None:
        return False
    called = {name, *_compiled(node, name)}
    calls = {f"{one}(*{spec.vararg.arg}, **{spec.kwarg.arg})" for one in called}
    returned = [one.value for one in own_nodes(node.body) if isinstance(one, ast.Return)]
    wraps = any(_is_wraps(one, name) for one in node.decorator_list)
    return wraps and bool(returned) and all(one is not None and ast.unparse(one) in calls for one in returned)


_READING = frozenset("get items keys values copy index count".split())


def _changes_arguments(node: ast.FunctionDef) -> bool:
    """Whether a wrapper may change its arguments: rebind, assign to, mutate or pass them on as a collection."""
    names = [one.arg for one in (node.args.vararg, node.args.kwarg) if one is not None]
    parents = parents_in(node)
    uses = (one for one in parents if isinstance(one, ast.Name) and one.id in names)
    return any(not isinstance(one.ctx, ast.Load) or not _is_read(one, parents) for one in uses)


def _is_read(node: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether an expression with the arguments only reads them."""
    around = parents[node]
    if isinstance(around, (ast.Starred, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.If, ast.IfExp, ast.For)):
        return True
    if isinstance(around, ast.keyword):
        return around.arg is None
    if isinstance(around, ast.Call):
        return last_name(around.func) in ("len", "list", "tuple", "dict", "bind", "isinstance", "enumerate", "zip")
    if isinstance(around, ast.Subscript):
        return isinstance(around.ctx, ast.Load)
    return isinstance(around, ast.comprehension) or (isinstance(around, ast.Attribute) and around.attr in _READING)


def _compiled(node: ast.FunctionDef, name: str) -> Iterator[str]:
    """The names that are assigned `torch.compile(function)`."""
    for one in own_nodes(node.body):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and isinstance(one.value, ast.Call):
            compiles = ast.unparse(one.value.func) in ("torch.compile", "compile", "torch.jit.script")
            if compiles and one.value.args and ast.unparse(one.value.args[0]) == name:
                yield one.targets[0].id


def _is_wraps(node: ast.expr, name: str) -> bool:
    return ast.unparse(node) in (f"wraps({name})", f"functools.wraps({name})")


@cached_on_node
def _is_factory_of_arguments(node: FunctionNode) -> bool:
    return _is_factory(node, _returns_argument)


@cached_on_node
def _is_factory_of_wrappers(node: FunctionNode) -> bool:
    return _is_factory(node, _returns_wrapper)


def _is_factory(node: FunctionNode, test: Callable[[FunctionNode], bool]) -> bool:
    """`def register(name): def enter(cls): ...; return cls; return enter`."""
    if isinstance(node, ast.Lambda):
        return False
    inner = {one.name: one for one in _functions_in(node)}
    returned = [one.value for one in own_nodes(node.body) if isinstance(one, ast.Return)]
    return bool(returned) and all(
        isinstance(one, ast.Name) and one.id in inner and test(inner[one.id]) for one in returned
    )


def _functions_in(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.FunctionDef]:
    return [one for one in node.body if isinstance(one, ast.FunctionDef)]


def own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of nested functions and classes."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield statement
        for child in children_of(statement):
            if isinstance(child, ast.stmt):
                yield from own_nodes([child])
            else:
                yield from walk(child)
