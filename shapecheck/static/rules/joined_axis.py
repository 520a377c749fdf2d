"""`ids = torch.cat([ids, new], dim=0)` of ids (b, t) and new (b, 1): they fit along dimension 1.

Joined along dimension 0, they must have the same number of columns, so that t is 1. That may be so for two tensors that
have nothing to do with each other. But a loop that appends to its variable makes it longer, and the mean of a
dimension has another size there than what it is computed from.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import Final

from shapecheck.ops import Trait, Unknown, names_with
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Size, TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes

_CODE: Final = "shape-mismatch"


@before(_CODE, "cat", "concat", "concatenate")
def of_two(call: AbstractCall) -> Value | None:
    """Reports two tensors that are joined along another dimension than the one in which they differ."""
    items = items_of(call.argument(0, "tensors"))
    dim = call.argument(1, "dim", 0)
    one, other = items if items is not None and len(items) == 2 else (None, None)
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec) or not one.rank or one.rank != other.rank:
        return None
    axis = _differing(one.dims, other.dims)
    if axis is None or type(dim) is not int or axis == dim % one.rank or not _must_differ(call, one, other):
        return None
    long = one if other.dims[axis] == 1 else other
    message = (
        f"{call.name}: {one.shape} and {other.shape} along dimension {dim} match only if {long.dims[axis]} is 1; "
        f"along dimension {axis} they match"
    )
    why = partial(conflict_notes, call.run, call.node, call.name, (one, other), {})
    causes = partial(causes_of_pair, call.run, call.node, one, other)
    call.run.report(_CODE, call.node, message, why, causes)
    return Unknown("joined tensors that do not match")


def _differing(sizes: Sequence[Size], others: Sequence[Size]) -> int | None:
    """The only dimension in which two shapes differ, if one of them has 1 there and the other an unknown size."""
    found = [at for at, (one, other) in enumerate(zip(sizes, others, strict=True)) if same(one, other) is not True]
    if len(found) != 1:
        return None
    pair = (sizes[found[0]], others[found[0]])
    return found[0] if 1 in pair and same(*pair) is None else None


def _must_differ(call: AbstractCall, one: TensorSpec, other: TensorSpec) -> bool:
    """Whether a loop appends to a variable, or one tensor is a mean of the other one."""
    scope = call.run.frame.function or call.run.loaded.tree
    if call.node in _appended(scope):
        return True
    if not call.run.origins.noted:
        return _keeps_dimensions(scope)
    return _reduces(call.run, one, other) or _reduces(call.run, other, one)


def _reduces(run: Run, reduced: TensorSpec, whole: TensorSpec) -> bool:
    made = run.origins.of_tensor(reduced)
    source = made.args[0] if made is not None and isinstance(made.callee, str) and made.args else None
    if made is None or not isinstance(source, TensorSpec) or source.shape != whole.shape:
        return False
    return str(made.callee).rpartition(".")[2] in names_with(Trait.REDUCES)


@cached_on_node
def _keeps_dimensions(scope: ast.AST) -> bool:
    """Whether a function passes `keepdim` to anything."""
    return any(isinstance(one, ast.keyword) and one.arg == "keepdim" for one in walk(scope))


@cached_on_node
def _appended(scope: ast.AST) -> frozenset[ast.AST]:
    """The calls `x = torch.cat([x, new])` in loops."""
    loops = [one for one in walk(scope) if isinstance(one, (ast.For, ast.While))]
    return frozenset(
        one.value
        for loop in loops
        for one in walk(loop)
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and one.value.args
        if _names(one.value.args[0]) & {target.id for target in one.targets if isinstance(target, ast.Name)}
    )


def _names(items: ast.expr) -> set[str]:
    """The variables in a list or tuple."""
    written = items.elts if isinstance(items, (ast.List, ast.Tuple)) else []
    return {one.id for one in written if isinstance(one, ast.Name)}
