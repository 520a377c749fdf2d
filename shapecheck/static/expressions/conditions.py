"""`and`, `or` and `a if c else b`: where the condition is open, each way is a branch."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial, reduce

from shapecheck.static.domain.alternatives import Never, members_of, one_of
from shapecheck.static.domain.join import join
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.narrow import narrow


def bool_op(run: Run, node: ast.BoolOp) -> Value:
    """What `a and b` and `a or b` give."""
    return _operands(run, node.values, ends_it=isinstance(node.op, ast.Or))


def _operands(run: Run, nodes: list[ast.expr], *, ends_it: bool) -> Value:
    """The first operand that decides, else the last one; each sees how those before it came out."""
    first, *rest = nodes
    value = evaluate(run, first)
    known = truth(value)
    if not rest or known is ends_it:
        return value
    if known is not None:
        return _operands(run, rest, ends_it=ends_it)

    def decides() -> tuple[Value, bool]:
        possible = narrow(run, first, ends_it)
        return one_of(one for one in members_of(value) if truth(one) is not (not ends_it)), possible

    def goes_on() -> tuple[Value, bool]:
        if not narrow(run, first, not ends_it):
            return Never("the first operand decides"), False
        return _operands(run, rest, ends_it=ends_it), True

    (one, ends), (other, follows) = _both(run, decides, goes_on)
    if follows and not ends_it and truth(other) is False:
        return other  # whatever came before
    if ends and follows:
        return join(one, other)
    return other if follows else one


def _both(run: Run, *runs: Callable[[], tuple[Value, bool]]) -> list[tuple[Value, bool]]:
    """The results of two branches, each with whether it goes on."""

    def kept(action: Callable[[], tuple[Value, bool]]) -> tuple[tuple[Value, bool], bool]:
        result = action()
        return result, result[1]

    return run.branch(*(partial(kept, action) for action in runs))


def if_exp(run: Run, node: ast.IfExp) -> Value:
    """What `a if test else b` gives."""
    known = truth(evaluate(run, node.test))
    if known is not None:
        return evaluate(run, node.body if known else node.orelse)

    def branch(outcome: bool, part: ast.expr) -> tuple[Value, bool]:
        possible = narrow(run, node.test, outcome)
        return evaluate(run, part) if possible else Never("it cannot come out so"), possible

    results = _both(run, partial(branch, True, node.body), partial(branch, False, node.orelse))
    possible = [value for value, can_be in results if can_be]
    return reduce(join, possible) if possible else results[0][0]
