"""`self.dconv` of a module that has `d_conv`: nothing in the repository gives the attribute to any object.

Type checkers do not report it, since nn.Module has a `__getattr__`.
"""

from __future__ import annotations

import ast
from difflib import get_close_matches
from typing import Final

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.attribute_presence import lacks_attribute
from shapecheck.static.domain.attribute_writes import methods_of
from shapecheck.static.domain.callee_names import is_of_self, last_name
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import ClassValue, Instance
from shapecheck.static.engine.hooks import unfound
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._foreign_objects import may_be_given, may_be_of_other_class
from shapecheck.static.rules._identifiers import occurs_elsewhere

_CODE: Final = "unknown-attribute"
_FOR_SUBCLASSES: Final = lazy_pattern(r"(?i)^_?(?:base|abstract)|(?:base|mixin|interface|abstract)\d*$")
"""Names of classes whose subclasses, perhaps in other repositories, set what their methods read."""
_READING: Final = frozenset("super isinstance issubclass hasattr getattr id type len print str repr next iter".split())
"""Functions that set no attribute of an object that they receive."""


@unfound(_CODE, "*")
def of_module(run: Run, node: ast.AST, value: Value, name: str) -> None:
    """Reports an attribute that a method reads of its own object, a module that cannot have it."""
    if not is_of_self(node) or run.loaded.is_library or not isinstance(value, Instance) or not is_module(value.cls):
        return
    if not lacks_attribute(value, name) or not all(map(_is_closed, value.cls.mro())) or _is_for_subclasses(value.cls):
        return
    if name.startswith("_") and not _is_called(run, node):  # libraries set private attributes, such as hooks
        return
    if not _is_tried(run, node) and not occurs_elsewhere(run, name) and not _is_given_by_others(run, value.cls, name):
        close = get_close_matches(name, [one for one in value.fields if isinstance(one, str)], 1, 0.75)
        advice = f"; did you mean {close[0]}?" if close else ""
        run.report(_CODE, node, f"{value.cls.node.name} has no attribute {name}{advice}")


def _is_given_by_others(run: Run, cls: ClassValue, name: str) -> bool:
    """Whether code outside a class may give the attribute, without its name, to what the class takes for its object."""
    return may_be_given(run, cls, name) or may_be_of_other_class(run, cls)


def _is_called(run: Run, node: ast.AST) -> bool:
    parent = parents_in(run.loaded.tree).get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _is_closed(cls: ClassValue) -> bool:
    """Whether the attributes of a class are those that its own methods name."""
    node = cls.node
    if node.decorator_list or node.keywords or any(one.is_open for one in methods_of(node)):
        return False
    return not _is_given_away(node)


@cached_on_node
def _is_given_away(node: ast.ClassDef) -> bool:
    """Whether a method passes its object to a function, which may set attributes, or decorates `__init__`."""
    for one in walk(node):
        if isinstance(one, ast.Call) and last_name(one.func) not in _READING:
            given = (*one.args, *(keyword.value for keyword in one.keywords))
            if any(isinstance(argument, ast.Name) and argument.id == "self" for argument in given):
                return True
        if isinstance(one, ast.FunctionDef) and one.name == "__init__" and one.decorator_list:
            return True
    return False


def _is_for_subclasses(cls: ClassValue) -> bool:
    return _FOR_SUBCLASSES.search(cls.node.name) is not None or _leaves_methods_open(cls.node)


@cached_on_node
def _leaves_methods_open(node: ast.ClassDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "NotImplementedError" for one in walk(node))


def _is_tried(run: Run, node: ast.AST) -> bool:
    """Whether the code expects that the attribute can be missing."""
    parents = parents_in(run.loaded.tree)
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.Try) and node.handlers:
            return True
    return False
