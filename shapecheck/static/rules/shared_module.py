"""`[layer for _ in range(n)]` and `[layer] * n`: the same layer several times instead of several layers."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Instance
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.hooks import repeated, stacked
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import has_weights, report_at

_CODE: Final = "shared-module"
_INTENT = ("share", "tied", "common")
"""`[shared_head] * n` is deliberate."""


@repeated(_CODE, "*", "for")
def remember(run: Run, node: ast.AST, items: tuple[Value, ...], made: Value) -> None:
    """Marks the layers that a list repeats; that is a mistake only if they become the layers of a model."""
    layers = [one for one in items if has_weights(one)] if _repeats_one_layer(node) else []
    if not layers or any(word in ast.unparse(node).lower() for word in _INTENT):
        return
    place = Place(run.loaded, node)
    for one in layers:
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
    name: str = layer.cls.node.name if isinstance(layer, Instance) else getattr(layer, "name", "layer")
    message = f"one {name} is repeated, so all items share its weights; create or deepcopy one for each item"
    report_at(run, place, node, _CODE, message)


def _repeats_one_layer(node: ast.AST) -> bool:
    """Whether each item of the expression is the same layer.

    A layer that is also an attribute, `[self.head for _ in ...]`, is shared on purpose.
    """
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        bound = {one.id for part in node.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)}
        return isinstance(node.elt, ast.Name) and node.elt.id not in bound
    return isinstance(node, ast.BinOp) and isinstance(node.left, ast.List) and not _has_attributes(node.left)


def _has_attributes(node: ast.List) -> bool:
    return any(isinstance(one, ast.Attribute) for one in node.elts)
