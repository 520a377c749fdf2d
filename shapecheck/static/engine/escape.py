"""Escape: values passed to an unknown function may be changed by it, now or later."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.objects import ClassValue, DictValue, FunctionValue, Instance, ListValue, SetValue
from shapecheck.static.domain.structure import reached
from shapecheck.static.domain.values import Method, Partial
from shapecheck.static.engine.closures import mutable_in_closure
from shapecheck.static.engine.run import Run

_MUTABLE = (ListValue, DictValue, SetValue)
_PLAIN = (bool, int, float, str, Dim, TensorSpec, type(None))
_HOLDING = (tuple, ListValue, DictValue, Partial)
"""The kinds of values through which a function escapes."""
_DEEPEST = 4


def havoc_escaped(run: Run, values: Iterable[Value]) -> None:
    """Havocs what may be changed through escaped arguments: collections, and what functions and classes capture."""
    for given in values:
        for one in members_of(given):
            if isinstance(one, _MUTABLE):
                run.journal.lose(one)
            for held in reached(one, _HOLDING, _DEEPEST):
                if isinstance(held, (FunctionValue, Method)):
                    _havoc_captured(run, held)
                elif isinstance(held, (ClassValue, Instance)):
                    _havoc_class(run, held.cls if isinstance(held, Instance) else held)


def _havoc_class(run: Run, cls: ClassValue) -> None:
    """Havocs what the methods of a class capture: unknown code may create an instance and call them."""
    for one in cls.mro():
        if one.has_hidden_state:
            for held in mutable_in_closure(one, _MUTABLE):
                run.journal.lose(held)


def _havoc_captured(run: Run, given: FunctionValue | Method) -> None:
    function = given.function if isinstance(given, Method) else given
    for held in mutable_in_closure(function, _MUTABLE):
        run.journal.lose(held)
    if isinstance(given, Method) and isinstance(given.receiver, Instance):
        _havoc_fields(run, given.receiver, _assigned_in(function.node))


def _havoc_fields(run: Run, receiver: Instance, changed: frozenset[str]) -> None:
    for name in changed & receiver.fields.keys():
        if isinstance(receiver.fields[name], _PLAIN):
            run.journal.write(receiver, name, Unknown(f"attribute {name} that may have changed"))


@cached_on_node
def _assigned_in(node: ast.AST) -> frozenset[str]:
    """The names of the attributes that a method assigns."""
    stored = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store))
    return frozenset(one.attr for one in stored)
