"""Tests that replace attributes: `monkeypatch.setattr`, `mock.patch`, `mocker.patch.object`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import AttributeNamespace, ClassValue, Instance, Namespace, Object
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run

_PATCHING = frozenset(("setattr", "delattr", "object", "patch"))
_HOLDERS = (Namespace, ClassValue, Instance, AttributeNamespace)


def patch(run: Run, node: ast.AST, args: tuple[Value, ...]) -> None:
    """Makes the attribute unknown that a call of a mocking function replaces."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in _PATCHING:
        return
    held: tuple[Value, ...] = _resolved(run, args[0]) if args and isinstance(args[0], str) else args[:2]
    if len(held) != 2:
        return
    holder, name = held
    if isinstance(holder, _HOLDERS) and isinstance(name, str):
        run.journal.write(holder, name, Unknown("a value that a test replaces"))


def _resolved(run: Run, dotted: str) -> tuple[Object | None, str]:
    """The module or class of the project that a path such as `pkg.module.Class.name` leads to, and the last name."""
    path, _, name = dotted.rpartition(".")
    loaded = run.project.resolve(path, run.loaded, 0) if path else None
    if loaded is not None:
        return dispatch.run_module(run.session, loaded), name
    if not path:
        return None, name
    outer, inner = _resolved(run, path)
    held = None if outer is None else outer.fields.get(inner)
    return (held if isinstance(held, Object) else None), name
