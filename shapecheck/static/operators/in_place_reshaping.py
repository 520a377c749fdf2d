"""Methods such as `x.squeeze_()`, which change the shape of the tensor itself."""

from __future__ import annotations

import ast

from shapecheck.ops import Trait, names_with
from shapecheck.spec import TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.objects import Instance, Namespace, Object
from shapecheck.static.engine.closures import holder
from shapecheck.static.engine.holders import havoc_holders
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import plain, read

_WITHOUT_RULE = frozenset(("sparse_resize_", "sparse_resize_and_clear_"))
"""Methods that reshape in place and have no rule in `ops`."""


def reshapes_in_place(method: str) -> bool:
    """Whether a method of this name changes the shape of its tensor."""
    return method.endswith("_") and (method in names_with(Trait.RESHAPES_IN_PLACE) or method in _WITHOUT_RULE)


def reshape_in_place(run: Run, receiver: ast.expr, before: Value, result: Value) -> None:
    """Binds the result to the variable or attribute of the receiver; the tensor becomes unknown wherever else it is."""
    owner, name = field_of(run, _reshaped(receiver))
    held = owner.fields.get(name) if owner is not None else None
    if owner is not None and not any(isinstance(one, TensorSpec) for one in members_of(held)):
        owner = None
    for one in {id(one): one for one in (*members_of(held), *members_of(before))}.values():
        if isinstance(one, TensorSpec):
            havoc_holders(run, one, None if owner is None else (owner, name))
    if owner is not None:
        run.journal.write(owner, name, result)


def resize_out(run: Run, node: ast.Call, result: Value) -> None:
    """Binds the result of a call to the variable that it passes as `out=`, if torch gives it another shape."""
    target = next((plain(one.value) for one in node.keywords if one.arg == "out"), None)
    if not isinstance(target, (ast.Name, ast.Attribute)):
        return
    owner, name = field_of(run, target)
    before = owner.fields.get(name) if owner is not None else None
    if isinstance(before, TensorSpec) and is_resized(before, result):
        reshape_in_place(run, target, before, result)


def is_resized(before: TensorSpec, result: Value) -> bool:
    """Whether a tensor that takes the place of another one has another shape, as far as both are known."""
    if not isinstance(result, TensorSpec):
        return 0 in (*before.shape.head, *before.shape.tail)
    old, new = before.shape, result.shape
    if old.rank is None or new.rank is None:
        return 0 in (*old.head, *old.tail)
    return old.rank != new.rank or any(same(a, b) is False for a, b in zip(old.dims, new.dims, strict=True))


def _reshaped(node: ast.expr) -> ast.expr:
    """The expression of the tensor that a chain of such methods reshapes: `x` of `x.squeeze_().t_()`."""
    node = plain(node)
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and reshapes_in_place(node.func.attr):
        node = plain(node.func.value)
    return node


def field_of(run: Run, target: ast.expr) -> tuple[Object | None, str]:
    """The object or namespace with the field that a variable or attribute reads, and the name of the field."""
    if isinstance(target, ast.Attribute):
        owner = read(run, target.value)
        return (owner if isinstance(owner, (Instance, Namespace)) else None), target.attr
    if not isinstance(target, ast.Name):
        return None, ""
    return holder(run.frame.scope, target.id), target.id
