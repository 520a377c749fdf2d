"""Places that a condition may read: names, attributes and items, which can be evaluated again without effects."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import ShapeError, Unanswered
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import ITEMS, DictValue, Instance, Namespace
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.journal import NO_CHANGES, Changes
from shapecheck.static.engine.rank_learning import learn_refinement
from shapecheck.static.engine.run import Run

_READING_METHODS = frozenset(("size", "dim", "ndimension", "numel"))
_READING_FUNCTIONS = frozenset(("len", "tuple", "list", "int", "min", "max", "Size", "type"))
_PLAIN_NODES = (
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
"""Refines a value by the outcome of a condition; raises ShapeError if it contradicts the value."""


@cached_on_node
def is_readable(node: ast.expr) -> bool:
    """Whether an expression can be evaluated again without effects."""
    return all(isinstance(one, _PLAIN_NODES) or (isinstance(one, ast.Call) and _only_reads(one)) for one in walk(node))


def _only_reads(node: ast.Call) -> bool:
    name = last_name(node.func)
    return name in (_READING_METHODS | {"Size"} if isinstance(node.func, ast.Attribute) else _READING_FUNCTIONS)


def plain(node: ast.expr) -> ast.expr:
    """The expression; of `name := expression`, the name."""
    return node.target if isinstance(node, ast.NamedExpr) else node


def read(run: Run, node: ast.expr) -> Value:
    """The value of an expression that was evaluated before, Unknown if evaluating it again might have effects."""
    node = plain(node)
    if type(node) is ast.Constant:
        return node.value
    if not is_readable(node):
        return Unknown("an expression that may have side effects")
    with run.silenced():
        return evaluate(run, node)


def refine(run: Run, place: ast.expr, change: Change) -> bool:
    """Refines the value of a place, each alternative by itself; False if none of them remains."""
    place = plain(place)
    value = read(run, place)
    if type(value) is not Alternatives:
        return _refine_one(run, place, change, value)
    members = value.members
    kept = [one for member in members for one in [_changed(run, change, member)] if one is not None]
    if len(kept) == 1:
        run.journal.apply(kept[0][1])
    refined = [one for one, _ in kept]
    if kept and not (len(refined) == len(members) and all(map(operator.is_, refined, members))):
        write(run, place, reduce(join, refined))
    return bool(kept)


def _refine_one(run: Run, place: ast.expr, change: Change, value: Value) -> bool:
    found = _changed(run, change, value)
    if found is None:
        return False
    refined, changes = found
    if changes:
        run.journal.apply(changes)
    if refined is not value:
        write(run, place, refined)
        run.origins.refined(value, refined)
        learn_refinement(run, value, refined)
    return True


def _changed(run: Run, change: Change, member: Value) -> tuple[Value, Changes] | None:
    """The refined value and the changes that come with it; None if the value is impossible."""
    try:
        return run.journal.tried(lambda: change(member))
    except ShapeError:
        return None
    except Unanswered:
        return member, NO_CHANGES


def write(run: Run, place: ast.expr, value: Value) -> None:
    """Stores the refined value in the place alone: other references to the object keep the old value."""
    if isinstance(place, ast.Name):
        names = run.frame.scope
        if place.id not in names.fields:
            names = run.frame.names  # in a comprehension, a variable of the function
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
