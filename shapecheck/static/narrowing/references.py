"""Places that a condition may be about: names, attributes and items, which are read again without running anything."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import ShapeError, Unanswered
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.join import join
from shapecheck.static.domain.values import ITEMS, DictValue, Instance, Namespace, Value
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.journal import NO_CHANGES, Changes
from shapecheck.static.engine.run import Run

_READING_METHODS = frozenset(("size", "dim", "ndimension", "numel"))
_READING_FUNCTIONS = frozenset(("len", "tuple", "list", "int", "min", "max", "Size"))
_PARTS = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.List,
    ast.UnaryOp,
    ast.BinOp,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)
Change = Callable[[Value], Value]
"""What a value is known to be where a condition came out as it did; raises ShapeError where it cannot be so."""


@cached_on_node
def is_readable(node: ast.expr) -> bool:
    """Whether reading it once more does nothing else."""
    return all(isinstance(one, _PARTS) or (isinstance(one, ast.Call) and _only_reads(one)) for one in ast.walk(node))


def _only_reads(node: ast.Call) -> bool:
    name = last_name(node.func)
    return name in (_READING_METHODS | {"Size"} if isinstance(node.func, ast.Attribute) else _READING_FUNCTIONS)


def plain(node: ast.expr) -> ast.expr:
    """The expression, or the name that `name := expression` has bound by now."""
    return node.target if isinstance(node, ast.NamedExpr) else node


def read(run: Run, node: ast.expr) -> Value:
    """The value of an expression that was evaluated before."""
    node = plain(node)
    if type(node) is ast.Constant:
        return node.value
    if not is_readable(node):
        return Unknown("it is not read twice")
    with run.silenced():
        return evaluate(run, node)


def refine(run: Run, place: ast.expr, change: Change) -> bool:
    """Puts what is known now into a place, alternative by alternative; False where none of them is left."""
    place = plain(place)
    value = read(run, place)
    if type(value) is not Alternatives:
        return _refined_one(run, place, change, value)
    members = value.members
    kept = [one for member in members for one in [_changed(run, change, member)] if one is not None]
    if len(kept) == 1:
        run.journal.apply(kept[0][1])
    seen = [one for one, _ in kept]
    if kept and not (len(seen) == len(members) and all(map(operator.is_, seen, members))):
        _write(run, place, reduce(join, seen))
    return bool(kept)


def _refined_one(run: Run, place: ast.expr, change: Change, value: Value) -> bool:
    found = _changed(run, change, value)
    if found is None:
        return False
    seen, changes = found
    if changes:
        run.journal.apply(changes)
    if seen is not value:
        _write(run, place, seen)
    return True


def _changed(run: Run, change: Change, member: Value) -> tuple[Value, Changes] | None:
    """What a value is seen to be, and what else that teaches; None where it cannot be this value."""
    try:
        return run.journal.tried(lambda: change(member))
    except ShapeError:
        return None
    except Unanswered:
        return member, NO_CHANGES


def _write(run: Run, place: ast.expr, value: Value) -> None:
    """Only where it certainly lies in one place: what two names share keeps what was known of it."""
    if isinstance(place, ast.Name):
        names = run.frame.names
        if place.id in names.fields:
            run.journal.narrow(names, place.id, value)
    elif isinstance(place, ast.Attribute):
        owner = read(run, place.value)
        if isinstance(owner, (Instance, Namespace)) and place.attr in owner.fields:
            run.journal.narrow(owner, place.attr, value)
    elif isinstance(place, ast.Subscript):
        owner, key = read(run, place.value), read(run, place.slice)
        if isinstance(owner, DictValue) and isinstance(key, (str, int)) and key in owner.items:
            run.journal.narrow(owner, ITEMS, {**owner.items, key: value})
