"""`for` and `while`: iteration by iteration if those are known, otherwise as a branch that is run twice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.summary_collections import merged_element
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.doubts import Doubts
from shapecheck.static.engine.iteration import items_of, some_item
from shapecheck.static.engine.journal import Mark
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.special_methods import iterated
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.operators.truth_values import tested
from shapecheck.static.statements.branches import run_maybe
from shapecheck.static.statements.first_iterations import first_iterations
from shapecheck.static.statements.iteration_state import carries, is_settled
from shapecheck.static.statements.list_rewrites import replace_each, replaced_in
from shapecheck.static.statements.loop_exits import (
    Body,
    finish,
    loop,
    may_break,
    open_loop,
    run_later_rounds,
    run_round,
)

_MOST_BREAKING = 16
_MOST_ROUNDS = 16
_FIRST_ROUNDS = 2
_LATER_ROUNDS = 2
_MOST_WIDENED = 6
"""How many more outcomes of rounds with widened values are tried, at most, to find the exit of an endless loop."""
_LONG = (range, tuple, str)
_MOST_STEPS = 40_000
"""How many steps a loop may take iteration by iteration, so that enough remain for the code after it."""


def run_for(run: Run, node: ast.For | ast.AsyncFor) -> bool:
    """`for`."""
    iterable = iterated(run, node, evaluate(run, node.iter))
    items = items_of(iterable)
    if items is None and isinstance(iterable, Alternatives):
        return _for_alternatives(run, node, iterable)
    return _for_items(run, node, iterable, items)


def _for_alternatives(run: Run, node: ast.For | ast.AsyncFor, iterable: Alternatives) -> bool:
    """A loop over alternatives; its findings are discarded, since they may concern one alternative only."""

    def over(one: Value) -> tuple[bool, bool]:
        goes_on = _for_items(run, node, one, items_of(one))
        return goes_on, goes_on

    with run.silenced():
        return any(run.branch(*(partial(over, one) for one in iterable.members)))


def _for_items(run: Run, node: ast.For | ast.AsyncFor, iterable: Value, items: list[Value] | None) -> bool:
    known, are_all = _known_rounds(node, iterable, items)

    def body(item: Value) -> bool:
        dispatch.assign(run, node.target, item)
        return run_block(run, node.body)

    start = run.budget.steps
    with loop(run) as one:
        for done, item in enumerate(known):
            if done > 1 and (run.budget.steps - start) // done * len(known) > _MOST_STEPS:
                run.mark_uncacheable()
                break
            if not run_round(run, one, partial(body, item)):
                return finish(run, one, goes_on=False)
        else:
            if are_all:
                return finish(run, one, run_block(run, node.orelse))
    begin = partial(_assign_item, run, node.target, iterable)
    return finish(run, one, _run_unbounded(run, node, begin, partial(first_iterations, run, node, iterable)))


def _known_rounds(node: ast.For | ast.AsyncFor, iterable: Value, items: list[Value] | None) -> tuple[list[Value], bool]:
    """The items of the rounds that run one by one, and whether these are all: of a long loop, the first ones are."""
    if items is None:
        return list(iterable[:_FIRST_ROUNDS]) if isinstance(iterable, _LONG) else [], False
    are_all = len(items) <= _MOST_BREAKING or not may_break(node)
    return items if are_all else items[:_FIRST_ROUNDS], are_all


def _assign_item(run: Run, target: ast.expr, iterable: Value) -> bool:
    """Assigns an unspecified item of an iterable of unknown items."""
    dispatch.assign(run, target, some_item(iterable))
    return True


def _rounds_that_get_more(run: Run, node: ast.For | ast.AsyncFor | ast.While, mark: Mark, body: Body) -> Iterator[Body]:
    """The body for the second and third iteration, as long as each gets other values than the one before."""
    for _ in range(_LATER_ROUNDS):
        if not carries(run, node, mark):
            return
        mark = run.journal.mark()
        yield body


def _run_unbounded(
    run: Run,
    node: ast.For | ast.AsyncFor | ast.While,
    begin: Callable[[], bool],
    peeled: Callable[[], Iterable[Body]] = tuple,
) -> bool:
    """A loop of unknown length: its body runs as a branch, again for later iterations, and with widening.

    `peeled` are the bodies of its first iterations, if it treats these differently.
    """
    replacing = replaced_in(node)
    replaced: list[Value] = []
    raising: list[bool] = []
    settled: list[bool] = []
    doubts = Doubts(run.trials)

    def body() -> bool:
        return begin() and run_block(run, node.body)

    def once() -> tuple[bool, bool]:
        returned, mark = len(run.frame.returned), run.journal.mark()
        with open_loop(run) as one:
            one.replacing, one.replaced, one.doubts = replacing, replaced, doubts
            if not run.silence.depth:
                run_later_rounds(run, one, node, peeled(), first=1)
            goes_on = run_round(run, one, body)
            if goes_on:
                run_later_rounds(run, one, node, _rounds_that_get_more(run, node, mark, body))
        goes_on = finish(run, one, goes_on)
        raising.append(not goes_on and len(run.frame.returned) == returned)
        settled.append(is_settled(run, node, mark))
        return bool(one.breaks), goes_on

    endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
    breaks = run.branch(once, lambda: (False, True))
    if raising[0] and not isinstance(node, ast.While) and not isinstance(node.body[-1], ast.Raise):
        return False  # the rest would run only without any iteration, which is not what the loop is written for
    if not settled[0]:
        doubts.is_confirming = True
        with run.silenced():
            breaks += run.branch(once, lambda: (False, True), widen=True)
            if endless:
                breaks += _until_exit(run, once, settled, breaks)
        doubts.drop(run)
    if replacing is not None and replaced:
        replace_each(run, evaluate(run, replacing.value), reduce(merged_element, replaced))
    if endless:
        return any(breaks)
    return run_block(run, node.orelse) if not any(breaks) else run_maybe(run, node.orelse)


def _until_exit(run: Run, once: Callable[[], tuple[bool, bool]], settled: list[bool], breaks: list[bool]) -> list[bool]:
    """Runs an endless loop on, with widened values, until a `break` is found or the state of its rounds is settled."""
    found = list[bool]()
    while not settled[-1] and not any((*breaks, *found)) and len(found) < _MOST_WIDENED:
        found += run.branch(once, lambda: (False, True), widen=True)
    return found


def run_while(run: Run, node: ast.While) -> bool:
    """`while`."""
    known = truth(tested(run, node.test)[0])
    with loop(run) as one:
        for done in range(_MOST_ROUNDS):
            if known is not True or (isinstance(node.test, ast.Constant) and done):
                break
            if not run_round(run, one, lambda: run_block(run, node.body)):
                return finish(run, one, goes_on=False)
            known = truth(tested(run, node.test)[0])
    if known is False:
        return finish(run, one, run_block(run, node.orelse))
    goes_on = _run_unbounded(run, node, lambda: narrow(run, node.test, True))
    if goes_on and not may_break(node):
        goes_on = narrow(run, node.test, False)
    return finish(run, one, goes_on)
