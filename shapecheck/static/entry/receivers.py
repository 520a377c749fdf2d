"""Analyzes the annotated methods of a class on a newly constructed object, or on a symbolic instance."""

from __future__ import annotations

from functools import partial

from shapecheck.static.contracts.contract import contract_of, is_record
from shapecheck.static.contracts.instantiation import AxisInstances
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.attribute_writes import CONSTRUCTORS
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, SymbolicInstance
from shapecheck.static.engine.argument_binding import positional_names
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.entry.later_state import havoc_changes

_RECEIVERS = ("self", "this", "cls")


def annotated_methods(run: Run, cls: ClassValue) -> list[FunctionValue]:
    """The methods of the class itself with an annotation contract, except its constructor."""
    return [
        one
        for name, one in cls.fields.items()
        if isinstance(one, FunctionValue)
        and name not in CONSTRUCTORS
        and one.node not in run.analyzed
        and not is_overload(one)
        and contract_of(run, one) is not None
    ]


def analyze_annotated_methods(run: Run, cls: ClassValue, made: Value) -> None:
    """Analyzes each of them in isolation, and leaves the object unchanged."""
    methods = annotated_methods(run, cls)
    if not methods:
        return
    built = made if isinstance(made, Instance) and not is_record(cls) else None
    some = SymbolicInstance(cls, AxisInstances(cls.node.name)) if built is None else built
    for method in methods:
        if method.name == "forward" and isinstance(made, Instance):
            run.journal.apart(partial(dispatch.analyze_isolated, run, method, (made,)))
        else:
            run.journal.apart(partial(_run, run, method, cls, some))


def _run(run: Run, method: FunctionValue, cls: ClassValue, receiver: Instance) -> None:
    if not isinstance(receiver, SymbolicInstance):
        havoc_changes(run, receiver, cls.closure.loaded)
    dispatch.analyze_isolated(run, method, first_argument(method, cls, receiver))


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
