"""`[layer for _ in range(n)]` and `[layer] * n`: the same layer several times instead of several layers."""

from __future__ import annotations

import ast
import re
from typing import Final

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import Unknown
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import Instance
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.domain.values import OpaqueInstance, SummarySequence
from shapecheck.static.engine.hooks import repeated, stacked
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.places import Place, text_of
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import has_weights, report_at

_CODE: Final = "shared-module"
_INTENT = ("share", "tied", "common")
"""`[shared_head] * n` is deliberate."""
_EXPLANATION = lazy_pattern(
    r"#.*\b(share|shared|shares|sharing|tie|tied|tying)\b(?!-)|^\s*(el)?if\b.*(\b|_)(share|tie|tying)", re.IGNORECASE
)
_LINES_BEFORE = 10
_COPYING = lazy_pattern(r"clone|copy|copies")
"""Functions that make several layers of one: `copy.deepcopy`, `_get_clones`."""
_WEIGHTLESS = lazy_pattern(
    r"act|relu|elu|lu$|tanh|sigmoid|softmax|drop|pool|ident|sampl|flat|shuffle|pad|nonlin|noise|fn|func"
)
"""Names of layers that probably have no weights, or of functions."""


@repeated(_CODE, "*", "for")
def remember(run: Run, node: ast.AST, items: tuple[Value, ...], made: Value) -> None:
    """Marks the layers that a list repeats; that is a mistake only if they become the layers of a model."""
    repeated = _repeated_layer(node)
    layers = [one for one in items if has_weights(one) or _may_be_layer(repeated, one)] if repeated is not None else []
    if not layers or any(word in ast.unparse(node).lower() for word in _INTENT) or _is_explained(run, node):
        return
    if repeated is not None and _is_copied_otherwise(run.frame.function, repeated):
        return
    place = Place(run.loaded, node)
    for one in layers:
        if has_weights(one):
            run.mark_uncacheable()  # the layer may be one of a module, which other calls find with the mark
        run.attach(one, _CODE, place)
        if isinstance(made, (Unknown, SummarySequence)) or is_summary(made):
            run.attach(made, _CODE, (one, place))


@stacked(_CODE, "Sequential", "ModuleList")
def report(run: Run, node: ast.AST, args: tuple[Value, ...]) -> None:
    """Reports a container that is built from such a list."""
    of_unknown_length = run.metadata(args[0], _CODE) if args else None
    if isinstance(of_unknown_length, tuple):
        _report(run, node, *of_unknown_length)
        return
    items = items_of(args[0]) if len(args) == 1 and not has_weights(args[0]) else args
    marked = [one for one in items or () if run.metadata(one, _CODE) is not None]
    again = next((one for index, one in enumerate(marked) if any(one is other for other in marked[:index])), None)
    if again is not None:
        _report(run, node, again, run.metadata(again, _CODE))


def _report(run: Run, node: ast.AST, layer: Value, place: Place) -> None:
    written = _repeated_layer(place.node)
    unnamed = "layer" if written is None else text_of(written)
    name: str = layer.cls.node.name if isinstance(layer, Instance) else getattr(layer, "name", unnamed)
    message = f"one {name} is repeated, so all items share its weights; create or deepcopy one for each item"
    report_at(run, place, node, _CODE, message)


def _repeated_layer(node: ast.AST) -> ast.expr | None:
    """The expression of the layer that each item of a list is; None if the items differ.

    A layer that is also an attribute, `[self.head for _ in ...]`, is shared on purpose.
    """
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        bound = {one.id for part in node.generators for one in walk(part.target) if isinstance(one, ast.Name)}
        return node.elt if isinstance(node.elt, ast.Name) and node.elt.id not in bound else None
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.List) and not _has_attributes(node.left):
        return node.left.elts[0] if node.left.elts else None
    return None


def _is_explained(run: Run, node: ast.AST) -> bool:
    """Whether a comment or a condition of the function, up to the expression, is about sharing weights."""
    last = getattr(node, "end_lineno", None) or 0
    first = getattr(run.frame.function, "lineno", max(1, last - _LINES_BEFORE))
    return any(_EXPLANATION.search(line) for line in run.loaded.text.splitlines()[first - 1 : last])


def _is_copied_otherwise(function: ast.AST | None, layer: ast.expr) -> bool:
    """Whether the other branch of a condition copies the layer, so that sharing is one of two choices of the author."""
    if function is None or not isinstance(layer, ast.Name):
        return False
    for one in walk(function):
        if isinstance(one, ast.If) and one.orelse:
            branches = [[inner for part in block for inner in walk(part)] for block in (one.body, one.orelse)]
            holding = [any(inner is layer for inner in branch) for branch in branches]
            if any(holding) and any(_copies(inner, layer.id) for inner in branches[holding.index(False)]):
                return True
    return False


def _copies(node: ast.AST, name: str) -> bool:
    """Whether it is `_get_clones(layer, n)` or `copy.deepcopy(layer)`."""
    if not isinstance(node, ast.Call) or not _COPYING.search(name_of_callee(node).lower()):
        return False
    return any(isinstance(one, ast.Name) and one.id == name for one in node.args)


def _may_be_layer(node: ast.expr, value: Value) -> bool:
    """Whether an unknown value, if it becomes a layer, probably has weights: by the name of its variable."""
    is_open = type(value) is Unknown or isinstance(value, (SymbolicArgument, UnsetArgument, OpaqueInstance))
    return is_open and isinstance(node, ast.Name) and not _WEIGHTLESS.search(node.id.lower())


def _has_attributes(node: ast.List) -> bool:
    return any(isinstance(one, ast.Attribute) for one in node.elts)
