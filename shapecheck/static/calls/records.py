"""Constructors that `dataclass` or NamedTuple generates."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.contracts.contract import generating_class
from shapecheck.static.contracts.dataclass_fields import checked_fields
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import fields_of, init_only
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.domain.placeholders import as_default
from shapecheck.static.domain.values import BuiltinMethod, DefaultFactory, SuperProxy
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run


def generated_constructor(function: BuiltinMethod) -> tuple[Instance, ClassValue] | None:
    """The object that `super().__init__` initializes, and the dataclass that has it; None for another method."""
    proxy = function.receiver
    if function.name != "__init__" or not isinstance(proxy, SuperProxy) or not isinstance(proxy.receiver, Instance):
        return None
    found = generating_class(proxy.receiver.cls, proxy.cls)
    return None if found is None else (proxy.receiver, found)


def init_record(
    run: Run,
    node: ast.AST | None,
    made: Instance,
    cls: ClassValue,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
) -> Value:
    """Initializes an instance by the constructor of a dataclass or a NamedTuple: its annotated names are its fields."""
    fields = fields_of(cls)
    if len(args) > len(fields) or not kwargs.keys() <= set(fields):
        unknown = Unknown("arguments that do not match the parameters")
        for name in fields if args or kwargs else ():
            run.journal.write(made, name, unknown)
        return unknown if args or kwargs else made
    given = dict(zip(fields, args, strict=False)) | kwargs
    values = {name: given[name] if name in given else _default(run, node, cls, name) for name in fields}
    passed_on = init_only(cls)
    for name, value in checked_fields(run, node, cls, values).items():
        if name not in passed_on:
            run.journal.write(made, name, value)
    try:
        after = made.cls.lookup("__post_init__")
    except KeyError:
        return made
    if isinstance(after, FunctionValue):
        dispatch.run_function(run, None, after, (made, *(values[name] for name in passed_on)), {})
    return made


def _default(run: Run, node: ast.AST | None, cls: ClassValue, name: str) -> Value:
    try:
        found = cls.lookup(name)
    except KeyError:
        return Unknown(f"no default for {name}")
    return (
        dispatch.call(run, node or cls.node, found.function, (), {})
        if isinstance(found, DefaultFactory)
        else as_default(found)
    )
