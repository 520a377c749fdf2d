"""Dispatch on classes that are not modelled: `if isinstance(space, spaces.Box): ... elif isinstance(space, ...)`.

The caller made one certain object. Whether its class derives from another one is unknown, and a branch for objects of
other classes may not accept the other arguments of this caller.
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
