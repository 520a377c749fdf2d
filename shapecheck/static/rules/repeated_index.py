"""`matrix[target, predicted] += 1`: a pair that occurs several times is counted once.

Torch reads the elements, adds one, and writes them back, so that of equal indices only one addition remains. Reported
are two or more tensors of indices that are labels: what argmax or topk selects, next to another or to an argument.
Indices from arange, nonzero and such occur once, and pairs of arguments may be edges of a graph.
"""

from __future__ import annotations

import ast
from enum import Enum, auto
from typing import Final

from shapecheck.ops import Trait
from shapecheck.spec import TensorSpec
from shapecheck.spec.dtype import int64
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._arguments import is_argument
from shapecheck.static.rules._normalizations import name_of

_CODE: Final = "repeated-index"
_KEEPING = frozenset("long to int type view reshape flatten squeeze ravel cpu detach clone contiguous data".split())
_SELECTING = frozenset(("argmax", "topk", "max"))
_MOST_HOPS = 12


class _Labels(Enum):
    """Where indices come from: argmax and such, an argument, or anything else."""

    SELECTED = auto()
    GIVEN = auto()
    OTHER = auto()


@before(_CODE, Trait.SUM)
def counted(call: AbstractCall) -> None:
    """Reports an increment of elements that tensors of labels select."""
    if not _increments_selected(call.node):
        return
    if call.run.origins.noted and not _are_selected_by_labels(call.run, call.args[0] if call.args else None):
        return
    how = "use index_put_ with accumulate=True, or bincount"
    call.run.report(_CODE, call.node, f"`+= 1` counts indices that occur several times only once; {how}")


def _increments_selected(node: ast.AST) -> bool:
    """Whether a statement is `x[i, j] += 1`."""
    if (
        not isinstance(node, ast.AugAssign)
        or not isinstance(node.op, ast.Add)
        or not isinstance(node.target, ast.Subscript)
    ):
        return False
    is_one = isinstance(node.value, ast.Constant) and node.value.value == 1
    return is_one and isinstance(node.target.slice, ast.Tuple)


def _are_selected_by_labels(run: Run, selected: Value) -> bool:
    made = run.origins.of_tensor(selected) if isinstance(selected, TensorSpec) else None
    key = made.args[1] if made is not None and name_of(made) == "__getitem__" and len(made.args) > 1 else None
    indices = [one for one in key if isinstance(one, TensorSpec)] if isinstance(key, tuple) else []
    if len(indices) < 2 or not all(one.dtype in (int64, None) and mark_of(one) is None for one in indices):
        return False
    if not any(one.rank for one in indices):
        return False
    sources = [_source_of(run, one) for one in indices]
    return _Labels.SELECTED in sources and _Labels.OTHER not in sources


def _source_of(run: Run, value: TensorSpec) -> _Labels:
    """Where indices come from, also in another shape or dtype."""
    current: Value = value
    for _ in range(_MOST_HOPS):
        if not isinstance(current, TensorSpec):
            break
        made = run.origins.of_tensor(current)
        if made is None:
            return _Labels.GIVEN if is_argument(run, current) else _Labels.OTHER
        if name_of(made) in _SELECTING:
            return _Labels.SELECTED
        if name_of(made) not in _KEEPING or not made.args:
            break
        current = made.args[0]
    return _Labels.OTHER
