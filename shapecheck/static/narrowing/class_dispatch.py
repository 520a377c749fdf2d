"""Dispatch on the class or the kind of a value where it is not known: `if isinstance(space, spaces.Box): ... elif ...`.

The caller made one certain object. Whether its class derives from another one is unknown, and a branch for objects of
other classes may not accept the other arguments of this caller. The same holds for functions, classes and layers
of which `inspect.isfunction` and the like are undecided.
"""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, ModuleContainer
from shapecheck.static.domain.value_kinds import PREDICATES
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference, Method, OpaqueInstance, Partial
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read

_CLASS_TESTS = frozenset(("isinstance", "issubclass"))
_KIND_TESTS = frozenset(one.rpartition(".")[2] for one in PREDICATES)
_OF_ONE_KIND = (
    FunctionValue,
    ClassValue,
    Instance,
    ModuleSpec,
    ModuleContainer,
    ExternalReference,
    Partial,
    Method,
    BuiltinMethod,
)

_EITHER = frozenset((True, False))


def dispatched_outcomes(run: Run, test: ast.expr) -> frozenset[bool]:
    """The outcomes of a condition whose branches may handle objects of another class or kind."""
    tested = [(is_of_kind, node) for is_of_kind, node in _tested(test) if _is_doubtful(run, node, is_of_kind)]
    if not tested:
        return frozenset()
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.operand, ast.Call)
    if any(is_of_kind for is_of_kind, _ in tested) or not (negated or isinstance(test, ast.Call)):
        return _EITHER
    return frozenset((not negated,))


def _is_doubtful(run: Run, node: ast.expr, is_of_kind: bool) -> bool:
    """Whether a tested value is certain, so that the condition is open because of its class or its kind alone."""
    value = read(run, node)
    if any(isinstance(one, OpaqueInstance) for one in members_of(value)):
        return True
    return is_of_kind and isinstance(value, _OF_ONE_KIND)


@cached_on_node
def _tested(test: ast.expr) -> tuple[tuple[bool, ast.expr], ...]:
    """What a condition applies a test of classes or kinds to, each with whether it is a test of kinds."""
    calls = [(last_name(one.func), one.args[0]) for one in walk(test) if isinstance(one, ast.Call) and one.args]
    return tuple((name in _KIND_TESTS, arg) for name, arg in calls if name in _CLASS_TESTS or name in _KIND_TESTS)
