"""`getattr` and `setattr`: attributes by a name that is a text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.static.alternatives import without_none
from shapecheck.static.attributes import attribute
from shapecheck.static.cases import on_each
from shapecheck.static.machine import Machine
from shapecheck.static.values import Instance, Value


def _read(machine: Machine, node: ast.AST, *args: Value) -> Value:
    if len(args) not in (2, 3) or not isinstance(args[1], str):
        return Unknown("an attribute of an unknown name")
    found = on_each(machine, lambda one: attribute(machine, node, one, args[1]), without_none(args[0]))
    return Unknown("perhaps a default") if len(args) == 3 and not _has(args[0], args[1]) else found


def _has(value: Value, name: str) -> bool:
    return isinstance(value, Instance) and name in value.fields


def _write(machine: Machine, node: ast.AST, *args: Value) -> Value:
    from shapecheck.static.statements import set_attribute  # noqa: PLC0415 - statements are made of calls

    if len(args) == 3 and isinstance(args[1], str):
        on_each(machine, partial(set_attribute, machine, node, args[1], args[2]), without_none(args[0]))
    return None


REFLECTING: dict[str, Callable[..., Value]] = {"builtins.getattr": _read, "builtins.setattr": _write}
