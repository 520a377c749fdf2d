"""Conditions that a function tests more than once, and whose outcome cannot change in between.

Where the outcome is unknown, the states of both branches are joined after the first test. A run that assumes one
outcome for all tests finds what fails on that path.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.own_scope import in_own_scope
from shapecheck.static.domain.callee_names import last_name

_PURE = frozenset(("len", "isinstance", "hasattr", "callable", "dim", "ndimension", "size", "is_floating_point"))
"""Calls that have the same result each time, if their operands are the same objects."""
_CHANGING = frozenset("append extend insert pop remove clear update add discard popitem setdefault".split())


class ConditionOutcome(NamedTuple):
    """The tests of one condition in a function, and the outcome that all of them have."""

    tests: tuple[ast.expr, ...]
    outcome: bool

    @property
    def names(self) -> frozenset[str]:
        """The variables and attributes that the condition reads."""
        return frozenset(_named(self.tests[0], ast.Load))

    @property
    def condition(self) -> str:
        """The condition under which a finding occurs."""
        text = ast.unparse(self.tests[0])
        return text if self.outcome else f"not ({text})"


@cached_on_node
def outcomes_of(function: ast.AST) -> tuple[ConditionOutcome, ...]:
    """The outcomes to assume for the repeated conditions of a function.

    That a condition is false is assumed only if code is written for it.
    """
    groups: dict[str, list[ast.If]] = {}
    nodes = list(in_own_scope(function))
    for one in nodes:
        if isinstance(one, ast.If) and not isinstance(one.test, ast.Constant):
            groups.setdefault(ast.dump(one.test), []).append(one)
    repeated = [sorted(group, key=_line) for group in groups.values() if len(group) > 1]
    stable = [group for group in repeated if _is_stable(group, nodes)]
    found = []
    for group in stable:
        tests = tuple(one.test for one in group)
        found.append(ConditionOutcome(tests, outcome=True))
        if any(one.orelse for one in group):
            found.append(ConditionOutcome(tests, outcome=False))
    return tuple(found)


def _line(node: ast.stmt) -> int:
    return node.lineno


def _is_stable(group: list[ast.If], nodes: list[ast.AST]) -> bool:
    """Whether the condition has the same outcome at each test."""
    test, first, last = group[0].test, _line(group[0]), _line(group[-1])
    calls = [one for one in ast.walk(test) if isinstance(one, ast.Call)]
    if not all(last_name(one.func) in _PURE for one in calls):
        return False
    read = set(_named(test, ast.Load))
    between = [one for one in nodes if isinstance(one, ast.stmt) and first <= one.lineno <= last]
    looped = any(isinstance(one, (ast.For, ast.While)) and _line(one) < first and _end(one) >= first for one in nodes)
    inside = nodes if looped else between
    return read.isdisjoint(name for one in inside for name in (*_named(one, ast.Store), *_changed(one)))


def _changed(node: ast.AST) -> Iterator[str]:
    """The variables and attributes of which a method is called that may change a collection or a tensor."""
    for one in ast.walk(node):
        method = one.func if isinstance(one, ast.Call) else None
        if isinstance(method, ast.Attribute) and (method.attr in _CHANGING or method.attr.endswith("_")):
            yield last_name(method.value)


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _named(node: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    """The variables and attributes that are read, or bound, in a node."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, context):
            yield one.id
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, context):
            yield one.attr
