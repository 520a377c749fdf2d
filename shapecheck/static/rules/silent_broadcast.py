"""Broadcasts that torch takes and nobody wanted, in source."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.conditions import silent_broadcast as rule
from shapecheck.conditions.operators import with_signs
from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.distribution_classes import KINDS
from shapecheck.static.engine.hooks import OperatorCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._written_axes import is_written


class _Evidence:
    """The expression of a call, and where its operand of higher rank comes from."""

    def __init__(self, call: OperatorCall, operand: TensorSpec) -> None:
        self._call = call
        self._operand = operand

    def source(self) -> str:
        return ast.unparse(self._call.node)

    def is_written(self, axis: int, names: frozenset[str]) -> bool:
        return is_written(self._call.run, self._operand, axis, names)


@before(rule.CODE, *with_signs(rule.SUMS), *with_signs(rule.PAIRS), *KINDS)
def outer_result(call: OperatorCall) -> None:
    """Reports `(n,) - (n, 1)`; the parameters of a distribution broadcast like the operands of a product."""
    if len(call.args) < 2:
        return
    left, right = call.args[:2]
    if not isinstance(left, TensorSpec) or not isinstance(right, TensorSpec):
        return
    evidence = _Evidence(call, max(left, right, key=lambda one: one.shape.least_rank))
    found = rule.find(call.name, left, right, evidence)
    if found is not None:
        why = partial(conflict_notes, call.run, call.node, call.name, (left, right), {})
        call.run.report(rule.CODE, call.node, found.message, why)


@before(rule.CODE, *with_signs(rule.QUOTIENTS))
def lined_up(call: OperatorCall) -> None:
    """Reports `x / x.sum(1)`. Where the sum comes from is only noted when the entry runs for the second time."""
    matrix, reduced = call.args[0], call.args[1] if len(call.args) > 1 else None
    if not isinstance(matrix, TensorSpec) or not isinstance(reduced, TensorSpec):
        return
    found = rule.find_misaligned(call.name, matrix, reduced, partial(_is_reduced, call.run, matrix, reduced))
    if found is not None:
        call.run.report(rule.CODE, call.node, found.message)


def _is_reduced(run: Run, matrix: TensorSpec, reduced: TensorSpec) -> bool:
    """Whether the last axis of this very tensor was reduced; suspected where nothing is noted."""
    made = run.origins.of_tensor(reduced)
    if made is None:
        return not run.origins.noted
    if isinstance(made.callee, ModuleSpec) or made.callee.rpartition(".")[2] not in rule.REDUCTIONS:
        return False
    dim = made.kwargs.get(
        "dim", made.kwargs.get("axis", next((one for one in made.args[1:] if type(one) is int), None))
    )
    return bool(made.args) and made.args[0] is matrix and dim in (1, -1)
