"""Attributes that descriptors and `__setattr__` of the project compute: what is read is not what was written."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import DictValue, FunctionValue, Instance, ListValue, SetValue
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.special_methods import special


def is_descriptor(value: Value) -> bool:
    """Whether the attribute of a class computes what is read from its instances."""
    return isinstance(value, Instance) and special(value, "__get__") is not None


def stores_other_value(receiver: Instance, name: str) -> bool:
    """Whether an assignment to an attribute may store another value, or store it elsewhere."""
    for one in receiver.cls.mro():
        if name in one.fields and is_descriptor(one.fields[name]):
            return True
        method = one.fields.get("__setattr__")
        if isinstance(method, FunctionValue) and not _passes_on(method.node):
            return True
    return False


def stores_elsewhere(receiver: Instance) -> bool:
    """Whether an assignment to an attribute may put the value into a dict or list of the object."""
    methods = [one.fields.get("__setattr__") for one in receiver.cls.mro()]
    return any(isinstance(one, FunctionValue) and _fills(one.node) for one in methods)


@cached_on_node
def _fills(node: ast.AST) -> bool:
    """Whether a `__setattr__` sets an item, or calls a method that may do so."""
    return any(
        (isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store))
        or (isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr != "__setattr__")
        for one in walk(node)
    )


def lose_collections(run: Run, receiver: Instance) -> None:
    """Makes the items of the lists and dicts of an object unknown."""
    for held in list(receiver.fields.values()):
        if isinstance(held, (DictValue, ListValue, SetValue)) and not held.lost:
            run.journal.lose(held)


@cached_on_node
def _passes_on(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a `__setattr__` passes its name and value on unchanged, whatever else it does."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)][1:]
    stores = [
        one
        for one in walk(node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "__setattr__"
    ]
    changed = any(
        isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id in names for one in walk(node)
    )
    given = [[getattr(arg, "id", None) for arg in one.args][-2:] for one in stores]
    return bool(stores) and not changed and all(one == names for one in given)
