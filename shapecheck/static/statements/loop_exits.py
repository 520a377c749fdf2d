"""Loops, and the ways out of them: `break` and `continue` lead past what follows them, each with its own state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from shapecheck.static.engine.journal import Changes, Mark
from shapecheck.static.engine.machine import Machine

Body = Callable[[], bool]
"""Runs a loop's body once; False where the run does not reach its end."""


class Loop:
    """One loop that is being run: where it began, and what had changed on each way out so far."""

    __slots__ = ("breaks", "continues", "replaced", "replacing", "round_mark", "start")

    def __init__(self, start: Mark) -> None:
        self.start = start
        self.round_mark = start
        self.breaks: list[Changes] = []
        self.continues: list[Changes] = []
        self.replacing: ast.expr | None = None
        """The `xs[i]` of a loop that puts another item in the place of each."""
        self.replaced: list[Any] = []
        """What was put there."""


@contextmanager
def loop(machine: Machine) -> Iterator[Loop]:
    """A loop that begins here."""
    begun = Loop(machine.journal.mark())
    machine.frame.loops.append(begun)
    try:
        yield begun
    finally:
        machine.frame.loops.pop()


def leave(machine: Machine, node: ast.Break | ast.Continue) -> None:
    """`break` or `continue` in the innermost loop."""
    if not machine.frame.loops:
        return
    one = machine.frame.loops[-1]
    if isinstance(node, ast.Break):
        one.breaks.append(machine.journal.since(one.start))
    else:
        one.continues.append(machine.journal.since(one.round_mark))


def run_round(machine: Machine, one: Loop, body: Body) -> bool:
    """Runs the body once; whether there may be another round."""
    one.round_mark = machine.journal.mark()
    one.continues = []
    goes_on = body()
    if one.continues:
        _join_ways(machine, one.round_mark, one.continues, goes_on)
        return True
    return goes_on


def _join_ways(machine: Machine, mark: Mark, ways: Sequence[Changes], goes_on: bool) -> None:
    """From here on holds what is common to these ways, and to the one that led here if it goes on."""
    here = [machine.journal.since(mark)] if goes_on else []
    machine.journal.undo(mark)
    machine.journal.merge([*ways, *here])


def finish(machine: Machine, one: Loop, goes_on: bool) -> bool:
    """Takes in the states at each `break`, after the rounds and the `else` have run."""
    if not one.breaks:
        return goes_on
    _join_ways(machine, one.start, one.breaks, goes_on)
    return True


def may_break(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a `break` stands in it, perhaps in a loop inside."""
    return any(isinstance(one, ast.Break) for one in ast.walk(node))
