"""A configuration for a class without annotations, made up from the attributes that its module reads."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from shapecheck.harness.cases.assumed.names import number
from shapecheck.harness.function_source import source_tree


def assumed_configuration(target: Any, name: str, width: int) -> SimpleNamespace | None:
    """An object with the attributes that the module of a class reads from its parameter; None if there are none.

    Classes that the constructor passes it to have a parameter of the same name as a rule, so the whole module counts.
    What is compared with None, and neither passed on nor computed with, is None: the name of a pretrained model.
    """
    own = source_tree(target)
    if own is None or not any(_attributes(own, name)):
        return None
    every = source_tree(inspect.getmodule(target)) or own
    absent = set(_compared_with_none(every, name)) - set(_operands(every, name))
    return SimpleNamespace(
        **{one: None if one in absent else number(one, width) for one in dict.fromkeys(_attributes(every, name))}
    )


def _attributes(tree: ast.AST, name: str) -> Iterator[str]:
    """The attributes that are read from a name, and not called."""
    called = {id(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)}
    for one in ast.walk(tree):
        if isinstance(one, ast.Attribute) and _is_of(one, name) and id(one) not in called:
            yield one.attr


def _compared_with_none(tree: ast.AST, name: str) -> Iterator[str]:
    """The attributes of a name that are tested for being None."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Compare) and isinstance(one.left, ast.Attribute) and _is_of(one.left, name):
            other = one.comparators[0]
            if isinstance(other, ast.Constant) and other.value is None:
                yield one.left.attr


def _operands(tree: ast.AST, name: str) -> Iterator[str]:
    """The attributes of a name that are passed to calls, or that arithmetic uses."""
    for one in ast.walk(tree):
        found: list[ast.expr] = []
        if isinstance(one, ast.Call):
            found = [*one.args, *(keyword.value for keyword in one.keywords)]
        elif isinstance(one, ast.BinOp):
            found = [one.left, one.right]
        yield from (each.attr for each in found if isinstance(each, ast.Attribute) and _is_of(each, name))


def _is_of(attribute: ast.Attribute, name: str) -> bool:
    return isinstance(attribute.value, ast.Name) and attribute.value.id == name
