"""Analyzes the annotated methods of a class on a newly constructed object, or on a symbolic instance."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.contracts.contract import contract_of, is_record
from shapecheck.static.contracts.instantiation import AxisInstances
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, SymbolicInstance
from shapecheck.static.engine.argument_binding import positional_names
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run

_RECEIVERS = ("self", "this", "cls")
_CONSTRUCTORS = frozenset(("__init__", "__new__", "__post_init__"))


def annotated_methods(run: Run, cls: ClassValue) -> list[FunctionValue]:
    """The methods of the class itself with an annotation contract, except its constructor."""
    return [
        one
        for name, one in cls.fields.items()
        if isinstance(one, FunctionValue)
        and name not in _CONSTRUCTORS
        and one.node not in run.analyzed
        and not is_overload(one)
        and contract_of(run, one) is not None
    ]


def analyze_annotated_methods(run: Run, cls: ClassValue, made: Value) -> None:
    """Analyzes each of them in isolation, and leaves the object unchanged."""
    methods = annotated_methods(run, cls)
    if not methods:
        return
    some = (
        _with_havocked_fields(made)
        if isinstance(made, Instance) and not is_record(cls)
        else SymbolicInstance(cls, AxisInstances(cls.node.name))
    )
    for method in methods:
        receiver = made if method.name == "forward" and isinstance(made, Instance) else some
        run.journal.apart(lambda: dispatch.analyze_isolated(run, method, first_argument(method, cls, receiver)))  # noqa: B023


def first_argument(method: FunctionValue, cls: ClassValue, some: Value) -> tuple[Value, ...]:
    """What a method receives before its arguments: the object, its class, or nothing.

    A function of a class that serves as a namespace has no `self`: its first argument can be anything.
    """
    decorators = decorators_of(method)
    if "classmethod" in decorators:
        return (cls,)
    first = next(iter(positional_names(method.node.args)), "")
    return () if "staticmethod" in decorators or not first.strip("_").startswith(_RECEIVERS) else (some,)


def decorators_of(method: FunctionValue) -> set[str]:
    """The plain names among its decorators."""
    return {getattr(one, "id", "") for one in getattr(method.node, "decorator_list", [])}


def _with_havocked_fields(made: Instance) -> Instance:
    """A copy of the object with unknown plain fields, if a method other than the constructor assigns them."""
    some = Instance(made.cls)
    some.promise = made.promise
    changed = {name for cls in made.cls.mro() for name in assigned(cls)}
    for name, value in made.fields.items():
        some.fields[name] = (
            Unknown(f"attribute {name} that may have changed") if is_plain(value) and name in changed else value
        )
    return some


def is_plain(value: Value) -> bool:
    """Whether it is a number, a string, None or a tensor."""
    return isinstance(value, (bool, int, float, str, Dim, TensorSpec, type(None)))


def assigned(cls: ClassValue) -> frozenset[str]:
    """The attributes of `self` that methods other than the constructor assign."""
    return _assigned_in(cls.node)


@cached_on_node
def _assigned_in(node: ast.ClassDef) -> frozenset[str]:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name not in _CONSTRUCTORS]
    return frozenset(
        one.attr
        for method in methods
        for one in ast.walk(method)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
    )
