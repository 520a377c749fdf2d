"""Broadcasts that torch accepts and that are rarely intended, in source."""

from __future__ import annotations

import ast
from functools import partial
from itertools import combinations

from shapecheck.conditions import silent_broadcast as rule
from shapecheck.conditions.intent import Intent, intent_of
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.distribution_classes import KINDS
from shapecheck.static.engine.hooks import AbstractCall, InPlace, after, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.call_operands import arguments_of
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._constants import is_constant
from shapecheck.static.rules._paired_elsewhere import is_beside_matrix, is_compared_elsewhere, is_paired_elsewhere
from shapecheck.static.rules._removed_axes import lacks_inserted_axis
from shapecheck.static.rules._symmetric import is_symmetric
from shapecheck.static.rules._written_axes import is_written

_ADDITIONS = frozenset(("+", "add"))
"""Sums in the narrow sense, which do not normalize a tensor by its reduction."""


class _Evidence:
    """The source around a call, and the origin of its operand of higher rank. `places` are the operands' positions."""

    def __init__(self, call: AbstractCall, operands: tuple[TensorSpec, TensorSpec], places: tuple[int, int]) -> None:
        self._call = call
        left, right = operands
        is_left = left.shape.least_rank >= right.shape.least_rank
        self._few, self._many = (right, left) if is_left else (left, right)
        self._places = places

    def source(self) -> str:
        return ast.unparse(self._call.node)

    def intent(self) -> Intent:
        call, (one, other) = self._call, self._places
        nodes = [node for node, _ in arguments_of(call.node, call.args, call.kwargs)]
        left, right = (nodes[one], nodes[other]) if other < len(nodes) else (None, None)
        operands = None if left is None or right is None else (left, right)
        return intent_of(call.run.loaded.tree, call.node, operands)

    def is_written(self, axis: int, sources: rule.AxisSource) -> bool:
        run = self._call.run
        return is_written(run, self._many, axis, sources) and not lacks_inserted_axis(run, self._few, self._many, axis)


@before(rule.CODE, Trait.SUM)
def outer_sum(call: AbstractCall) -> None:
    """Reports `(n,) - (n, 1)`."""
    _report_outer(call, is_sum=True)


@before(rule.CODE, Trait.PAIRS, "log_prob", "kl_divergence", *KINDS)
def outer_pairs(call: AbstractCall) -> None:
    """Reports `(n,) * (n, 1)`; the parameters of a distribution broadcast like the operands of a product."""
    _report_outer(call, is_sum=False)


@after(rule.CODE, InPlace(Trait.SUM))
def outer_sum_in_place(call: AbstractCall, result: Value) -> Value:
    """Reports `x.sub_(y)` that torch may accept: if a size is 1."""
    _report_outer(call, is_sum=True)
    return result


@after(rule.CODE, InPlace(Trait.PAIRS))
def outer_pairs_in_place(call: AbstractCall, result: Value) -> Value:
    """Reports `x.mul_(y)` in the same way."""
    _report_outer(call, is_sum=False)
    return result


def _report_outer(call: AbstractCall, *, is_sum: bool) -> None:
    """Reports the first two tensors among the arguments that broadcast each other."""
    values = (*call.args, *call.kwargs.values()) if call.kwargs else call.args
    tensors = [(place, one) for place, one in enumerate(values) if isinstance(one, TensorSpec)]
    for (first, left), (second, right) in combinations(tensors, 2):
        evidence = _Evidence(call, (left, right), (first, second))
        found = rule.find(call.name, left, right, evidence, is_sum=is_sum)
        if found is not None and not _is_with_constant(call.run, left, right) and not _is_paired(call, found):
            why = partial(conflict_notes, call.run, call.node, call.name, (left, right), {})
            causes = partial(causes_of_pair, call.run, call.node, left, right)
            call.run.report(rule.CODE, call.node, found.message, why, causes)
            return


def _is_paired(call: AbstractCall, found: rule.Outer) -> bool:
    if is_paired_elsewhere(call.run.frame.function, call.node) or is_compared_elsewhere(call.run, call.node):
        return True
    return is_beside_matrix(call.run, call.node, found.result)


def _is_with_constant(run: Run, left: TensorSpec, right: TensorSpec) -> bool:
    """Whether a column is combined with a vector of other sizes that no data is in: `scores - self.thresholds`."""
    few, many = sorted((left, right), key=lambda one: one.shape.least_rank)
    if few.rank is None or many.rank is None or not run.origins.noted:
        return False
    sizes = [one for one in few.dims if one != 1]
    return not any(same(one, other) for one in sizes for other in many.dims) and is_constant(run, few)


@before(rule.CODE, Trait.SUM)
def misaligned(call: AbstractCall) -> None:
    """Reports `x / x.sum(1)`. The origin of the sum is only recorded when the entry point runs for the second time."""
    if call.name in _ADDITIONS or len(call.args) < 2:
        return
    matrix, reduced = call.args[:2]
    if not isinstance(matrix, TensorSpec) or not isinstance(reduced, TensorSpec):
        return
    found = rule.find_misaligned(call.name, matrix, reduced, partial(_is_reduced, call.run, matrix, reduced))
    if found is not None and not is_symmetric(call.run, matrix):
        causes = partial(causes_of_pair, call.run, call.node, matrix, reduced)
        call.run.report(rule.CODE, call.node, found.message, causes=causes)


def _is_reduced(run: Run, matrix: TensorSpec, reduced: TensorSpec) -> bool:
    """Whether a tensor is this matrix, reduced along its last axis; True if no origins are recorded."""
    made = run.origins.of_tensor(reduced)
    if made is None:
        return not run.origins.noted
    if isinstance(made.callee, ModuleSpec) or made.callee.rpartition(".")[2] not in names_with(Trait.REDUCES):
        return False
    dim = made.kwargs.get("dim", next((one for one in made.args[1:] if type(one) is int), None))
    return bool(made.args) and made.args[0] is matrix and dim in (1, -1)
