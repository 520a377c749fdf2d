"""Dispatch on classes that are not modelled: `if isinstance(space, spaces.Box): ... elif isinstance(space, ...)`.

The caller made one certain object. Whether its class derives from another one is unknown, and a branch for objects of
other classes may not accept the other arguments of this caller.

So it is with reflection: `if "device" in inspect.signature(cls).parameters: cls(device=device)`. Each branch is for
some callables, and which of them the given one belongs to is unknown.
"""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.values import OpaqueInstance
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read


def doubtful_outcomes(run: Run, test: ast.expr) -> frozenset[bool]:
    """The outcomes of a condition whose branches handle objects of another class than the one that is given."""
    if _reads_signature(test) or not _signatures_in(run.frame.function).isdisjoint(_names_in(test)):
        return frozenset((True, False))
    tested = _tested(test)
    if not tested or not any(_is_opaque(run, one) for one in tested):
        return frozenset()
    if isinstance(test, ast.Call):
        return frozenset((True,))
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.operand, ast.Call)
    return frozenset((False,)) if negated else frozenset((True, False))


def _is_opaque(run: Run, node: ast.expr) -> bool:
    return any(isinstance(one, OpaqueInstance) for one in members_of(read(run, node)))


@cached_on_node
def _tested(test: ast.expr) -> tuple[ast.expr, ...]:
    """What `isinstance` is applied to in a condition."""
    calls = (one for one in ast.walk(test) if isinstance(one, ast.Call))
    return tuple(one.args[0] for one in calls if last_name(one.func) in ("isinstance", "issubclass") and one.args)


_SIGNATURES = frozenset(("signature", "getfullargspec", "getargspec", "getcallargs", "_signature_from_callable"))
_CODE = frozenset(("co_varnames", "co_argcount", "co_names", "__signature__", "__kwdefaults__"))


@cached_on_node
def _reads_signature(node: ast.AST) -> bool:
    """Whether an expression reads which parameters a callable has."""
    return any(
        (isinstance(one, ast.Call) and last_name(one.func) in _SIGNATURES)
        or (isinstance(one, ast.Attribute) and one.attr in _CODE)
        for one in ast.walk(node)
    )


@cached_on_node
def _names_in(node: ast.expr) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _signatures_in(function: ast.AST | None) -> frozenset[str]:
    return _NONE if function is None else _signature_names(function)


_NONE: frozenset[str] = frozenset()


@cached_on_node
def _signature_names(function: ast.AST) -> frozenset[str]:
    """The local names whose values tell which parameters a callable has, in the order in which they are assigned."""
    if not _reads_signature(function):
        return _NONE
    found: set[str] = set()
    for one in ast.walk(function):
        if not isinstance(one, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) or one.value is None:
            continue
        if _reads_signature(one.value) or not found.isdisjoint(_names_in(one.value)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            found.update(name for target in targets for name in _names_in(target))
    return frozenset(found)
