"""`and`, `or` and `a if c else b`: both ways run as branches if the condition is unknown."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never, members_of, one_of
from shapecheck.static.domain.join import join
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.doubtful_outcomes import BOTH, doubtful_outcomes
from shapecheck.static.narrowing.mode_tests import may_be_decided_by_caller, outcomes_for_other_mode, part
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.narrowing.rank_comparisons import compares_ranks
from shapecheck.static.operators.truth_values import report_default, tested
from shapecheck.static.provenance.written_conditions import is_on_written

_MOST_OPERANDS = 200
"""Of a generated condition; the branches of its operands are nested."""


def bool_op(run: Run, node: ast.BoolOp) -> Value:
    """Evaluates `a and b` and `a or b`."""
    if len(node.values) > _MOST_OPERANDS:
        return Unknown("a condition with many operands")
    report_default(run, node)
    return _operands(run, node.values, decisive=isinstance(node.op, ast.Or))


def _operands(run: Run, nodes: list[ast.expr], *, decisive: bool) -> Value:
    """The first operand that decides, else the last one; each is narrowed by the outcomes of those before it."""
    first, *rest = nodes
    if not rest:
        return evaluate(run, first)
    value, known = tested(run, first)
    if known is decisive:
        return value
    if known is not None:
        return _operands(run, rest, decisive=decisive)

    def decides() -> tuple[Value, bool]:
        possible = narrow(run, first, decisive)
        return one_of(one for one in members_of(value) if truth(one) is not (not decisive)), possible

    def goes_on() -> tuple[Value, bool]:
        if not narrow(run, first, not decisive):
            return Never("an operand that is never evaluated"), False
        with part(run, silent=compares_ranks(first), in_mode=False, of_caller=False):
            return _operands(run, rest, decisive=decisive), True

    (one, ends), (other, follows) = _both(run, decides, goes_on)
    if follows and not decisive and truth(other) is False:
        return other  # whatever the first operand was
    if ends and follows:
        return join(one, other)
    return other if follows else one


def _both(
    run: Run, one: Callable[[], tuple[Value, bool]], other: Callable[[], tuple[Value, bool]]
) -> list[tuple[Value, bool]]:
    """The results of two branches, each with whether the branch completes."""

    def first() -> tuple[tuple[Value, bool], bool]:
        result = one()
        return result, result[1]

    def second() -> tuple[tuple[Value, bool], bool]:
        result = other()
        return result, result[1]

    return run.branch(first, second)  # not through `partial`: Python 3.12 limits how deep its calls may be nested


def if_exp(run: Run, node: ast.IfExp) -> Value:
    """Evaluates `a if test else b`."""
    value, known = tested(run, node.test)
    if known is not None:
        return evaluate(run, node.body if known else node.orelse)
    doubtful = BOTH if is_on_written(run, node.test, value) else doubtful_outcomes(run, node.test, value)
    other_modes = outcomes_for_other_mode(run, node.test)
    is_of_caller = may_be_decided_by_caller(run, node.test, value)

    def branch(outcome: bool, body: ast.expr) -> tuple[Value, bool]:
        with part(run, silent=outcome in doubtful, in_mode=outcome in other_modes, of_caller=is_of_caller):
            possible = narrow(run, node.test, outcome)
            return evaluate(run, body) if possible else Never("an impossible condition"), possible

    def taken() -> tuple[Value, bool]:
        return branch(True, node.body)

    def passed() -> tuple[Value, bool]:
        return branch(False, node.orelse)

    results = _both(run, taken, passed)
    possible = [value for value, can_be in results if can_be]
    return reduce(join, possible) if possible else results[0][0]
