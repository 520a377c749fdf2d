"""Conditions on signatures: `if "device" in inspect.signature(cls).parameters: cls(device=device)`.

Each branch is for some callables, and which of them the given one belongs to is unknown.
"""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name


def depends_on_signature(function: ast.AST | None, test: ast.expr) -> bool:
    """Whether a condition in a function reads a signature, or a name whose value was read from one."""
    if _reads_signature(test):
        return True
    return function is not None and not _signature_names(function).isdisjoint(_names_in(test))


_SIGNATURES = frozenset(("signature", "getfullargspec", "getargspec", "getcallargs", "_signature_from_callable"))
_CODE = frozenset(("co_varnames", "co_argcount", "co_names", "__signature__", "__kwdefaults__"))


@cached_on_node
def _reads_signature(node: ast.AST) -> bool:
    """Whether an expression reads which parameters a callable has."""
    return any(
        (isinstance(one, ast.Call) and last_name(one.func) in _SIGNATURES)
        or (isinstance(one, ast.Attribute) and one.attr in _CODE)
        for one in walk(node)
    )


@cached_on_node
def _names_in(node: ast.expr) -> frozenset[str]:
    return frozenset(one.id for one in walk(node) if isinstance(one, ast.Name))


_NONE: frozenset[str] = frozenset()


@cached_on_node
def _signature_names(function: ast.AST) -> frozenset[str]:
    """The local names whose values tell which parameters a callable has, in the order in which they are assigned."""
    if not _reads_signature(function):
        return _NONE
    found: set[str] = set()
    for one in walk(function):
        if not isinstance(one, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) or one.value is None:
            continue
        if _reads_signature(one.value) or not found.isdisjoint(_names_in(one.value)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            found.update(name for target in targets for name in _names_in(target))
    return frozenset(found)
