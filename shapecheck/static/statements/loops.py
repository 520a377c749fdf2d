"""`for` and `while`: round by round where the rounds are known, otherwise as a branch that is run twice."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial, reduce

from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.summary_collections import either
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.iteration import items_of, some_item
from shapecheck.static.engine.machine import Machine
from shapecheck.static.models.python.special_methods import iterated
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.statements.branches import perhaps
from shapecheck.static.statements.list_rewrites import replace_each, replaced_in
from shapecheck.static.statements.loop_exits import finish, loop, may_break, run_round

_MOST_BREAKING = 16
_MOST_ROUNDS = 16
_MOST_STEPS_OF_LOOP = 40_000
"""How many steps the rounds of a loop may take to be run one by one: what follows it is to be seen, too."""


def run_for(machine: Machine, node: ast.For | ast.AsyncFor) -> bool:
    """`for`."""
    iterable = iterated(machine, node, evaluate(machine, node.iter))
    items = items_of(iterable)
    if items is None and isinstance(iterable, Alternatives):
        return _for_each_of(machine, node, iterable)
    return _for_items(machine, node, iterable, items)


def _for_each_of(machine: Machine, node: ast.For | ast.AsyncFor, iterable: Alternatives) -> bool:
    """A loop over one of several sequences; what fails in it may fail for one of them alone."""

    def over(one: Value) -> tuple[bool, bool]:
        goes_on = _for_items(machine, node, one, items_of(one))
        return goes_on, goes_on

    with machine.silenced():
        return any(machine.branch(*(partial(over, one) for one in iterable.members)))


def _for_items(machine: Machine, node: ast.For | ast.AsyncFor, iterable: Value, items: list[Value] | None) -> bool:
    if items is None or (len(items) > _MOST_BREAKING and may_break(node)):
        return _open_loop(machine, node, partial(_assign_item, machine, node.target, iterable))

    def body(item: Value) -> bool:
        dispatch.assign(machine, node.target, item)
        return run_block(machine, node.body)

    start = machine.budget.steps
    with loop(machine) as one:
        for done, item in enumerate(items):
            if done > 1 and (machine.budget.steps - start) // done * len(items) > _MOST_STEPS_OF_LOOP:
                machine.mark_uncacheable()
                break
            if not run_round(machine, one, partial(body, item)):
                return finish(machine, one, goes_on=False)
        else:
            return finish(machine, one, run_block(machine, node.orelse))
    return finish(machine, one, _open_loop(machine, node, partial(_assign_item, machine, node.target, iterable)))


def _assign_item(machine: Machine, target: ast.expr, iterable: Value) -> bool:
    """One of the items of what cannot be gone through."""
    dispatch.assign(machine, target, some_item(iterable))
    return True


def _open_loop(machine: Machine, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], bool]) -> bool:
    """A loop of unknown length: its body runs as a branch, twice, so that what changes from round to round is seen."""

    replacing = replaced_in(node)
    replaced: list[Value] = []

    def once() -> tuple[bool, bool]:
        with loop(machine) as one:
            one.replacing, one.replaced = replacing, replaced
            goes_on = run_round(machine, one, lambda: begin() and run_block(machine, node.body))
        goes_on = finish(machine, one, goes_on)
        return bool(one.breaks), goes_on

    endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
    breaks = machine.branch(once, lambda: (False, True))
    with machine.silenced():
        breaks += machine.branch(once, lambda: (False, True), widen=True)
    if replacing is not None and replaced:
        replace_each(machine, evaluate(machine, replacing.value), reduce(either, replaced))
    if endless:
        return any(breaks)
    return run_block(machine, node.orelse) if not any(breaks) else perhaps(machine, node.orelse)


def run_while(machine: Machine, node: ast.While) -> bool:
    """`while`."""
    known = truth(evaluate(machine, node.test))
    with loop(machine) as one:
        for _ in range(_MOST_ROUNDS):
            if known is not True or isinstance(node.test, ast.Constant):
                break
            if not run_round(machine, one, lambda: run_block(machine, node.body)):
                return finish(machine, one, goes_on=False)
            known = truth(evaluate(machine, node.test))
    if known is False:
        return finish(machine, one, run_block(machine, node.orelse))
    goes_on = _open_loop(machine, node, lambda: narrow(machine, node.test, True))
    if goes_on and not may_break(node):
        goes_on = narrow(machine, node.test, False)
    return finish(machine, one, goes_on)
