"""The methods of an object that it gives to other code, which may call them later: `Sampler(step=self.step)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.attribute_writes import CONSTRUCTORS, methods_of, writes_from
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.class_cache import cached_on_class
from shapecheck.static.domain.objects import ClassValue

_READING = frozenset("isinstance issubclass hasattr getattr setattr super type id repr str len print hash".split())
_SELF = "self"


@cached_on_class
def writes_when_called_back(cls: ClassValue) -> list[tuple[str, frozenset[str]]]:
    """The methods that other code may call because the class passes them, or the object, to it, and those they call.

    With the attributes that each writes.
    """
    given = frozenset[str]().union(*(_given_in(base.node) for base in cls.mro()))
    return writes_from(cls, given) if given else []


@cached_on_node
def _given_in(node: ast.ClassDef) -> frozenset[str]:
    names = frozenset(one.name for one in methods_of(node)) - CONSTRUCTORS
    read: set[str] = set()
    for call in walk(node):
        if isinstance(call, ast.Call) and last_name(call.func) not in _READING | CONSTRUCTORS:
            for given in (*call.args, *(keyword.value for keyword in call.keywords)):
                if isinstance(given, ast.Name) and given.id == _SELF:
                    return names
                read.update(_read_of_self(given))
    return names & read


def _read_of_self(given: ast.expr) -> Iterator[str]:
    """The attribute of `self` that an argument is, or those that a lambda reads."""
    for one in walk(given.body) if isinstance(given, ast.Lambda) else (given,):
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == _SELF:
            yield one.attr
