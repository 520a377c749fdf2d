"""`x.squeeze_()`: methods that give the tensor itself another shape, so that its name stands for another one."""

from __future__ import annotations

import ast

from shapecheck.ops import Trait, Unknown, names_with
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.values import Instance, Namespace, Object, Value
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import plain, read

_WITHOUT_RULE = frozenset(("sparse_resize_", "sparse_resize_and_clear_"))
"""Methods that reshape in place, of which `ops` has no rule."""


def reshapes_in_place(method: str) -> bool:
    """Whether a method of this name gives its tensor another shape."""
    return method.endswith("_") and (method in names_with(Trait.RESHAPES_IN_PLACE) or method in _WITHOUT_RULE)


def reshape_in_place(run: Run, receiver: ast.expr, result: Value) -> None:
    """Puts the result where the receiver was read; other names of the same tensor are not known any more."""
    place = _place(receiver)
    owner, name = _owner(run, place)
    before = owner.fields.get(name) if owner is not None else None
    if owner is None or not any(isinstance(one, TensorSpec) for one in members_of(before)):
        return
    for other, value in list(owner.fields.items()):
        if value is before and other != name:
            run.journal.write(owner, other, Unknown(f"it was changed in place as {name}"))
    run.journal.write(owner, name, result)


def _place(node: ast.expr) -> ast.expr:
    """Where the tensor lies on which a chain of such methods works: `x` of `x.squeeze_().t_()`."""
    node = plain(node)
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and reshapes_in_place(node.func.attr):
        node = plain(node.func.value)
    return node


def _owner(run: Run, place: ast.expr) -> tuple[Object | None, str]:
    if isinstance(place, ast.Attribute):
        owner = read(run, place.value)
        return (owner if isinstance(owner, (Instance, Namespace)) else None), place.attr
    names: Namespace | None = run.frame.names if isinstance(place, ast.Name) else None
    while names is not None and isinstance(place, ast.Name):
        if place.id in names.fields:
            return names, place.id
        names = names.parent
    return None, ""
