"""The first iterations of a loop that treats them differently: `for i in range(n): if i == 0: ...`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Size, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.dispatch import dispatch, run_block
from shapecheck.static.engine.iteration import some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.statements.loop_exits import Body

_COUNT = 3
"""A third iteration is the first one whose operands are both results of earlier ones."""


def first_iterations(run: Run, node: ast.For | ast.AsyncFor, iterable: Value) -> Iterator[Body]:
    """The bodies of the first iterations, with the number of each; none if no condition of the loop depends on it."""
    start = _first_number(node)
    if start is not None:
        for number in range(start, start + _COUNT - 1):
            yield partial(_run, run, node, iterable, number)
        yield partial(_run, run, node, iterable, unknown("i", start + 1))  # the loop may not reach the third number


def _run(run: Run, node: ast.For | ast.AsyncFor, iterable: Value, number: Size) -> bool:
    dispatch.assign(run, node.target, some_item(iterable))
    dispatch.assign(run, _counter(node.target), number)
    return run_block(run, node.body)


def _counter(target: ast.expr) -> ast.expr:
    """The variable with the number of the iteration: `i` of `for i in range(n)` and `for i, x in enumerate(xs)`."""
    return target.elts[0] if isinstance(target, ast.Tuple) else target


@cached_on_node
def _first_number(node: ast.For | ast.AsyncFor) -> int | None:
    """The number of the first iteration; None if the loop does not count its iterations, or tests no number of one."""
    made, counter = node.iter, _counter(node.target)
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name) or made.keywords:
        return None
    counts = made.func.id == "enumerate" and isinstance(node.target, ast.Tuple) and len(made.args) == 1
    ranges = made.func.id == "range" and isinstance(node.target, ast.Name) and len(made.args) in (1, 2)
    if not isinstance(counter, ast.Name) or not (counts or ranges):
        return None
    start = made.args[0].value if len(made.args) == 2 and isinstance(made.args[0], ast.Constant) else 0
    if (len(made.args) == 2 and not isinstance(made.args[0], ast.Constant)) or type(start) is not int:
        return None
    return start if _is_tested(node, counter.id) else None


def _is_tested(node: ast.For | ast.AsyncFor, counter: str) -> bool:
    """Whether a condition of the body is about the number of the iteration: `i == 0`, `i > 0`, `not i`."""
    conditions = [one.test for one in walk(node) if isinstance(one, (ast.If, ast.IfExp))]
    return any(_is_about(one, counter) for one in conditions)


def _is_about(condition: ast.expr, counter: str) -> bool:
    if isinstance(condition, ast.UnaryOp):
        return _is_about(condition.operand, counter)
    if isinstance(condition, ast.Compare) and isinstance(condition.comparators[0], ast.Constant):
        condition = condition.left
    return isinstance(condition, ast.Name) and condition.id == counter
