"""Functions of `dataclasses`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.contracts.contract import is_record
from shapecheck.static.contracts.instantiation import AxisInstances
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import fields_of
from shapecheck.static.domain.objects import DictValue, Instance, ListValue, SymbolicInstance
from shapecheck.static.domain.values import DefaultFactory
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run


def _field(**options: Value) -> Value:
    """The default that `field(...)` declares, or the function that creates it."""
    if "default_factory" in options:
        return DefaultFactory(options["default_factory"])
    return options.get("default", Unknown("a field without a default"))


def _replace(run: Run, node: ast.AST, value: Value, **changes: Value) -> Value:
    if not isinstance(value, Instance) or not is_record(value.cls):
        return Unknown("an unknown record")
    if isinstance(value, SymbolicInstance):
        made = SymbolicInstance(value.cls, value.promise or AxisInstances())
        made.fields |= value.fields
        made.fields.update(changes.items())
        return made
    held = {name: dispatch.attribute(run, node, value, name) for name in fields_of(value.cls)}
    return dispatch.instantiate(run, node, value.cls, (), {**held, **changes})


def _as_dict(run: Run, node: ast.AST, value: Value) -> Value:
    if not isinstance(value, Instance) or not is_record(value.cls):
        return Unknown("an unknown record")
    return DictValue(
        {name: _plain(run, node, dispatch.attribute(run, node, value, name)) for name in fields_of(value.cls)}
    )


def _plain(run: Run, node: ast.AST, value: Value) -> Value:
    """A value in which records are replaced by dicts."""
    if isinstance(value, Instance) and is_record(value.cls):
        return _as_dict(run, node, value)
    if isinstance(value, ListValue) and not value.lost:
        return ListValue(tuple(_plain(run, node, one) for one in value.items))
    return value


def _as_tuple(run: Run, node: ast.AST, value: Value) -> Value:
    found = _as_dict(run, node, value)
    return tuple(found.items.values()) if isinstance(found, DictValue) else found


FUNCTIONS: dict[str, Callable[..., Value]] = {"dataclasses.field": _field}
ASKING: dict[str, Callable[..., Value]] = {
    "dataclasses.replace": _replace,
    "copy.replace": _replace,
    "dataclasses.asdict": _as_dict,
    "dataclasses.astuple": _as_tuple,
}
