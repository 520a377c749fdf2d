"""`self.dropout_rate` of a class whose constructor takes `dropout_rate` and does nothing with it.

Nothing in the repository stores such an attribute. What a base class of a library has is not known, but it does not
receive the argument either.
"""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.attribute_presence import lacks_attribute
from shapecheck.static.domain.callee_names import is_of_self, last_name
from shapecheck.static.domain.objects import Instance
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.hooks import unfound
from shapecheck.static.engine.run import Run

_CODE: Final = "unknown-attribute"
_OPAQUE: Final = frozenset("setattr locals vars __dict__ exec __getattr__ hasattr getattr frame inspect".split())
"""Names in a class that may store or replace any attribute."""


@unfound(_CODE, "*")
def of_parameter(run: Run, node: ast.AST, value: Value, name: str) -> None:
    """Reports an attribute of the running object that only a parameter of its constructor could give it."""
    if not is_of_self(node) or run.loaded.is_library or not isinstance(value, Instance) or lacks_attribute(value, name):
        return
    if name not in _unread_parameters(value.cls.node) or any(name in cls.fields for cls in value.cls.mro()):
        return
    around = run.session.project.identifiers_around(run.loaded.path)
    if not around.is_searchable or name in _stored(run.loaded.tree):
        return
    if not any(name in found for found in around.facts([name], _stored).values()):
        message = f"{value.cls.node.name} has no attribute {name}: its constructor does not store the parameter"
        run.report(_CODE, node, message)


@cached_on_node
def _unread_parameters(node: ast.ClassDef) -> frozenset[str]:
    """The parameters that the constructor of a class does not read; none if it may read them in other ways."""
    found = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    names = {last_name(one) for one in walk(node) if isinstance(one, (ast.Name, ast.Attribute))}
    if len(found) != 1 or found[0].decorator_list or node.decorator_list or not _OPAQUE.isdisjoint(names):
        return frozenset()
    read = {one.id for one in walk(found[0]) if isinstance(one, ast.Name)}
    return frozenset(one.name for one in parameters_of(found[0].args)) - read


@cached_on_node
def _stored(tree: ast.Module) -> frozenset[str]:
    """The attributes that a file assigns to any object, the variables of its classes, and its strings."""
    nodes = list(walk(tree))
    attributes = {one.attr for one in nodes if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)}
    inside = [part for one in nodes if isinstance(one, ast.ClassDef) for part in one.body]
    names = {part.id for one in inside for part in _targets(one) if isinstance(part, ast.Name)}
    names |= {one.name for one in inside if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    texts = {one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return frozenset(attributes | names | texts)


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []
