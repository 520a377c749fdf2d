"""Resolution of names in annotations, in the scope of the annotation, as Python does it."""

from __future__ import annotations

import ast
from typing import NamedTuple

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.late_names import current
from shapecheck.static.domain.objects import ClassValue, Namespace
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run


class AnnotationScope(NamedTuple):
    """The scope of an annotation: its namespace, and the class whose body contains it."""

    run: Run
    names: Namespace
    owner: ClassValue | None = None


def resolve_name(scope: AnnotationScope, node: ast.expr) -> Value:
    """Resolves a name or dotted name; Unknown for any other expression."""
    return current(_resolve(scope, node))


def _resolve(scope: AnnotationScope, node: ast.expr) -> Value:
    if isinstance(node, ast.Name):
        return _resolve_bare(scope, node.id)
    if not isinstance(node, ast.Attribute):
        return Unknown("an unresolved name")
    value = resolve_name(scope, node.value)
    if isinstance(value, ExternalReference):
        return ExternalReference(f"{value.name}.{node.attr}")
    return value.fields.get(node.attr) if isinstance(value, (Namespace, ClassValue)) else Unknown("an unresolved name")


def _resolve_bare(scope: AnnotationScope, name: str) -> Value:
    if scope.owner is not None:
        if name in scope.owner.fields:
            return scope.owner.fields[name]
        if name == scope.owner.node.name:
            return scope.owner
    names: Namespace | None = scope.names
    while names is not None:
        if name in names.fields:
            return names.fields[name]
        names = names.parent
    return _type_checking_import(scope, name)


def _type_checking_import(scope: AnnotationScope, name: str) -> Value:
    """Resolves a name that is imported under `if TYPE_CHECKING:`, else a built-in."""
    run, loaded = scope.run, scope.names.loaded
    found = _imported(loaded.tree, name) if loaded.checks_types else None
    if found is None:
        return ExternalReference(f"builtins.{name}")
    statement, alias = found
    inside = run.project.resolve(statement.module or "", loaded, statement.level)
    if inside is None:
        return (
            Unknown("an unresolved module")
            if statement.level
            else ExternalReference(f"{statement.module}.{alias.name}")
        )
    if "jaxtyping" not in inside.text:
        return Unknown("a name from another file")
    with run.inside(Frame(Namespace(inside))):
        return dispatch.run_module(run.session, inside).fields.get(alias.name, Unknown("an unresolved name"))


def _imported(tree: ast.Module, name: str) -> tuple[ast.ImportFrom, ast.alias] | None:
    blocks = [one for one in tree.body if isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test)]
    for statement in (one for block in blocks for one in block.body if isinstance(one, ast.ImportFrom)):
        for alias in statement.names:
            if (alias.asname or alias.name) == name:
                return statement, alias
    return None
