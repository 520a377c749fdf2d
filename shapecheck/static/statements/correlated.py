"""Runs statements that test one condition twice, once for each outcome of it.

That is done once for an entry point. First they run as all statements do: what is found then is reported, and what
they require of symbolic arguments is learned. Then they run again for each outcome, with what is known if all tests
have it. Only what the later bodies do with it is new, so everything else is silenced.
"""

from __future__ import annotations

import ast
from contextlib import nullcontext
from functools import partial

from shapecheck.static.domain.attribute_writes import written_by_methods
from shapecheck.static.domain.correlated_conditions import CorrelatedIfs, attributes_read
from shapecheck.static.domain.objects import Instance
from shapecheck.static.engine.dispatch import evaluate, run_block
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.doubtful_outcomes import doubtful_outcomes
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.provenance.known_elements import truth_of


def run_correlated(run: Run, node: CorrelatedIfs) -> bool:
    """Runs a group of statements; returns whether execution continues after it."""
    test = node.first.test
    known = run.budget.in_group or node in run.budget.expanded
    if known or not _is_stable(run, test):
        return run_block(run, node.statements)
    value = evaluate(run, test)
    if truth_of(run, value) is not None:
        return run_block(run, node.statements)
    run.budget.expanded.add(node)
    frame = run.frame
    before = len(frame.returned), len(frame.exits)
    run.journal.apart(partial(run_block, run, node.statements))
    del frame.returned[before[0] :], frame.exits[before[1] :]
    doubtful = doubtful_outcomes(run, test, value)
    with run.budget.for_group():
        return any(run.branch(*(partial(_path, run, node, holds, holds in doubtful) for holds in (True, False))))


def _is_stable(run: Run, test: ast.expr) -> bool:
    """Whether no method of the object writes the attributes that a condition reads."""
    names = attributes_read(test)
    if not names:
        return True
    receiver = run.frame.names.fields.get("self")
    if not isinstance(receiver, Instance):
        return False
    writes = written_by_methods(receiver.cls)
    return not writes.is_open and names.isdisjoint(writes.written)


def _path(run: Run, node: CorrelatedIfs, holds: bool, is_doubtful: bool) -> tuple[bool, bool]:
    """Runs the statements if the tests have one outcome; the findings of the later bodies are reported."""
    goes_on = narrow(run, node.first.test, holds)
    for one in node.statements if goes_on else ():
        outcome = node.outcome(one, holds)
        is_later = outcome is not None and one is not node.first
        body = [one] if outcome is None or not isinstance(one, ast.If) else one.body if outcome else one.orelse
        with nullcontext() if is_later and not is_doubtful else run.silenced():
            if not run_block(run, body):
                return False, False
    return goes_on, goes_on
