"""`mask.nonzero().squeeze()` in a list: the indices of a single element have no dimension any more."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

from shapecheck.conditions import squeeze_batch as rule
from shapecheck.diagnostics import Note
from shapecheck.project.parents import parents_in
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.engine.places import Place, note_at

_MESSAGE: Final = "squeeze() of the indices of a single element is 0-D; use squeeze(1)"
_NOTE: Final = "the number of rows is that of the elements found, which may be 1"
_ADDING = frozenset(("append", "add", "insert", "appendleft"))


class _Indices(NamedTuple):
    """The call that found elements: its result has a row for each of them."""

    place: Place


@after(rule.CODE, "nonzero", "argwhere")
def found(call: AbstractCall, result: Value) -> Value:
    """Marks the indices of the elements of a 1-D tensor."""
    if not isinstance(result, TensorSpec) or result.rank != 2 or result.dims[1] != 1 or result.dims[0] == 1:
        return result
    own = result.with_dtype(result.dtype)
    call.run.attach(own, rule.CODE, _Indices(Place(call.run.loaded, call.node)))
    return own


@after(rule.CODE, *rule.OPERATORS)
def squeezed(call: AbstractCall, result: Value) -> Value:
    """Reports a squeeze of indices whose result becomes an item of a collection."""
    mark = call.run.metadata(call.args[0], rule.CODE) if len(call.args) == 1 and not call.kwargs else None
    function = call.run.frame.function
    if isinstance(mark, _Indices) and isinstance(function, ast.FunctionDef) and _is_collected(function, call.node):
        call.run.report(rule.CODE, call.node, _MESSAGE, partial(_notes, mark.place))
    return result


def _notes(place: Place) -> list[Note]:
    return [note_at(place.loaded, place.node, _NOTE)]


def _is_collected(function: ast.FunctionDef, node: ast.AST) -> bool:
    """Whether a value is put into a collection, in which nothing shows that it may have no dimension.

    It may be in a variable that has no other value, and of which no attribute and no length is read.
    """
    parents = parents_in(function)
    around = parents.get(node)
    if not isinstance(around, ast.Assign):
        return _is_item(parents, node)
    target = around.targets[0]
    if len(around.targets) > 1 or not isinstance(target, ast.Name):
        return False
    uses = [one for one in parents if isinstance(one, ast.Name) and one.id == target.id and one is not target]
    return not any(_is_examined(parents, one) for one in uses) and any(_is_item(parents, one) for one in uses)


def _is_examined(parents: Mapping[ast.AST, ast.AST], use: ast.Name) -> bool:
    """Whether a variable is assigned, or a function or a method of it may read or change its rank."""
    around = parents[use]
    is_passed = isinstance(around, ast.Call) and not _is_addition(around)
    return not isinstance(use.ctx, ast.Load) or is_passed or isinstance(around, (ast.Attribute, ast.Compare))


def _is_item(parents: Mapping[ast.AST, ast.AST], node: ast.AST) -> bool:
    """Whether an expression is an item of a display, or an argument of `append`."""
    around = parents[node]
    if isinstance(around, ast.Call):
        return _is_addition(around) and around.func is not node
    if not isinstance(around, (ast.Tuple, ast.List)):
        return False
    outer = parents[around]
    is_list = isinstance(around, ast.List) and not isinstance(outer, ast.Call)  # cat([x])
    return is_list or (isinstance(outer, ast.Call) and _is_addition(outer))


def _is_addition(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING
