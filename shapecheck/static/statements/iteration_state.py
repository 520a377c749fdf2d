"""Whether an iteration of a loop leaves a state from which the next one would run in the same way."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import ABSENT, Field, Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.carried_names import carried_names
from shapecheck.static.domain.objects import Namespace, Object
from shapecheck.static.domain.structure import LEAVES
from shapecheck.static.engine.journal import Mark
from shapecheck.static.engine.path_constraints import PathConstraints
from shapecheck.static.engine.run import Run


def is_settled(run: Run, node: ast.For | ast.AsyncFor | ast.While, mark: Mark) -> bool:
    """Whether what an iteration changed since its mark makes no difference to the next one.

    Names that the next iteration assigns before it reads them make none, nor does a value that is equal to the last.
    """
    names, carried = run.frame.names, carried_names(node)
    return all(
        isinstance(target, PathConstraints)
        or (isinstance(target, Namespace) and target is names and field not in carried)
        or _is_same(target, field, before)
        for (target, field), before in run.journal.before(mark).items()
    )


def carries(run: Run, node: ast.For | ast.AsyncFor | ast.While, mark: Mark) -> bool:
    """Whether a local tensor, flag or None that the next iteration reads is another one than at the mark.

    Then the next iteration may fail where the first one did not: it gets the state of a cell, or takes another branch.
    """
    if run.silence.depth:
        return False
    names, carried = run.frame.names, carried_names(node)
    return any(
        target is names and field in carried and _is_carried(before, names.fields.get(field, ABSENT))
        for (target, field), before in run.journal.before(mark).items()
    )


def _is_carried(before: Value, now: Value) -> bool:
    """Whether a value replaces another one, so that a branch or an operator may have another outcome."""
    if isinstance(now, bool) or (isinstance(now, TensorSpec) and mark_of(now) is None):
        return (before is None or isinstance(before, (bool, TensorSpec))) and before != now
    return False


def _is_same(target: Object, field: Field, before: Value) -> bool:
    now = target.fields.get(field, ABSENT)
    if now is before or (type(now) is Unknown and type(before) is Unknown):
        return True
    return type(now) is type(before) and type(now) in LEAVES and now == before
