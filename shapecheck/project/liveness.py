"""Assignments whose value nothing reads: on each path, the variable is assigned again first, or the function returns.

The analysis of live variables, as compilers do it, over the statements of one function. A variable that only computes
its own next value, `x = f(x)` in a loop, is not read by that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.own_scope import in_own_scope
from shapecheck.project.tree_walk import walk

Names = frozenset[str]
_NONE: Names = frozenset()
_LATE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)
"""What reads variables at another time than where it is written."""
_DYNAMIC = frozenset(("locals", "vars", "eval", "exec"))


@cached_on_node
def assigned_again(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[ast.Assign, ast.Assign]:
    """The assignments of which no variable is read, and that which assigns one of them again."""
    again = dict(_before_stores(function))
    if not again or any(isinstance(one, ast.Name) and one.id in _DYNAMIC for one in walk(function)):
        return {}
    liveness = _Liveness(_read_late(function))
    liveness.block(function.body, _NONE, _Exits())
    return {node: later for node, later in again.items() if node in liveness.unread}


def _before_stores(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Assignments behind which, in the order of the source, each variable is next assigned again; and where."""
    events: dict[str, list[_Event]] = {}
    for node in in_own_scope(function):
        if isinstance(node, ast.Assign):
            for one in _names_stored(node):
                events.setdefault(one.id, []).append(_Event(_end(node), node))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            events.setdefault(node.id, []).append(_Event((node.lineno, node.col_offset)))
    nexts: dict[ast.Assign, list[ast.Assign | None]] = {}
    for each in events.values():
        each.sort(key=lambda event: event.place)
        for (_, assignment), later in zip(each, (*each[1:], None), strict=True):
            if assignment is not None:
                nexts.setdefault(assignment, []).append(later and later.assignment)
    for assignment, others in nexts.items():
        known = [one for one in others if one is not None]
        if len(known) == len(others):
            yield assignment, known[0]


class _Event(NamedTuple):
    """A variable is read, or assigned: where, and by which statement."""

    place: tuple[int, int]
    assignment: ast.Assign | None = None


def _end(node: ast.stmt) -> tuple[int, int]:
    return (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


class _Exits(NamedTuple):
    """The variables that are live where a statement continues at another place than the next statement."""

    broken: Names = _NONE
    continued: Names = _NONE
    raised: Names = _NONE

    def through(self, live: Names) -> _Exits:
        """The same exits, behind a `finally` before which these variables are live."""
        return _Exits(*(one | live for one in self))


class _Liveness:
    """Computes the variables that are live before statements from those that are live after them."""

    def __init__(self, always: Names) -> None:
        self.unread: set[ast.Assign] = set()
        self._always = always
        """The variables that code may read at any time."""

    def block(self, body: Sequence[ast.stmt], after: Names, exits: _Exits) -> Names:
        """The variables that are live before these statements."""
        for node in reversed(body):
            after = self._statement(node, after, exits) | exits.raised
        return after

    def _statement(self, node: ast.stmt, after: Names, exits: _Exits) -> Names:
        match node:
            case ast.Assign():
                return self._assignment(node, after)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                return _left_by(node, exits)
            case ast.If() | ast.Match():
                return self._branches(node, after, exits)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, after, exits)
            case ast.With() | ast.AsyncWith():  # which may catch an exception anywhere inside
                return (
                    _read(*node.items)
                    | after
                    | self.block(node.body, after, exits._replace(raised=exits.raised | after))
                )
            case ast.Try():
                return self._try(node, after, exits)
        return after | _read(node)

    def _assignment(self, node: ast.Assign, after: Names) -> Names:
        stored = frozenset(one.id for one in _names_stored(node))
        if stored and stored.isdisjoint(after | self._always):
            self.unread.add(node)
            return after | (_read(node) - stored)
        self.unread.discard(node)  # of an earlier round of a loop
        return (after - stored) | _read(node)

    def _branches(self, node: ast.If | ast.Match, after: Names, exits: _Exits) -> Names:
        if isinstance(node, ast.If):
            read, bodies = _read(node.test), [node.body, node.orelse]
        else:
            read, bodies = _read(node.subject, *_heads(node.cases)) | after, [one.body for one in node.cases]
        return read.union(*(self.block(body, after, exits) for body in bodies))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, after: Names, exits: _Exits) -> Names:
        head = self.block(node.orelse, after, exits)
        head |= _read(node.test) if isinstance(node, ast.While) else _read(node.target)
        while True:
            earlier = head
            head |= self.block(node.body, head, _Exits(after, head, exits.raised))
            if head == earlier:
                return head if isinstance(node, ast.While) else head | _read(node.iter)

    def _try(self, node: ast.Try, after: Names, exits: _Exits) -> Names:
        last = self.block(node.finalbody, after, exits)
        outside = exits.through(last) if node.finalbody else exits
        caught = last.union(*(self.block(one.body, last, outside) for one in node.handlers))
        caught |= _read(*(one.type for one in node.handlers if one.type is not None))
        live = self.block(node.orelse, last, outside)
        return caught | self.block(node.body, live, outside._replace(raised=outside.raised | caught))


def _left_by(node: ast.Return | ast.Raise | ast.Break | ast.Continue, exits: _Exits) -> Names:
    """The variables that are live before a statement that leaves the function or a round of a loop."""
    if isinstance(node, ast.Break):
        return exits.broken
    return exits.continued if isinstance(node, ast.Continue) else _read(node)


def _heads(cases: Iterable[ast.match_case]) -> Iterator[ast.AST]:
    for one in cases:
        yield one.pattern
        if one.guard is not None:
            yield one.guard


def _names_stored(node: ast.Assign) -> list[ast.Name]:
    """The variables that an assignment binds; none if it also writes items or attributes."""
    parts = [one for target in node.targets for one in walk(target)]
    if any(isinstance(one, (ast.Attribute, ast.Subscript)) for one in parts):
        return []
    return [one for one in parts if isinstance(one, ast.Name)]


def _read(*nodes: ast.AST) -> Names:
    """The variables that nodes read, change or delete."""
    found = {
        one.id
        for node in nodes
        for one in walk(node)
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Store)
    }
    changed = {
        node.target.id for node in nodes if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    return frozenset(found | changed)


def _read_late(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Names:
    """The variables that inner functions and generators read, or that are not the function's own."""
    inner = [one for one in walk(function)[1:] if isinstance(one, _LATE)]
    names = {one.id for node in inner for one in walk(node) if isinstance(one, ast.Name)}
    shared = [one.names for one in walk(function) if isinstance(one, (ast.Global, ast.Nonlocal))]
    return frozenset(names.union(*shared))
