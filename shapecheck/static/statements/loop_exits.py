"""Loops, and the ways out of them: `break` and `continue` lead past what follows them, each with its own state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from shapecheck.static.domain.values import Value
from shapecheck.static.engine.journal import Changes, Mark
from shapecheck.static.engine.run import Run

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
        self.replaced: list[Value] = []
        """What was put there."""


@contextmanager
def loop(run: Run) -> Iterator[Loop]:
    """A loop that begins here."""
    begun = Loop(run.journal.mark())
    run.frame.loops.append(begun)
    try:
        yield begun
    finally:
        run.frame.loops.pop()


def leave(run: Run, node: ast.Break | ast.Continue) -> None:
    """`break` or `continue` in the innermost loop."""
    if not run.frame.loops:
        return
    one = run.frame.loops[-1]
    if isinstance(node, ast.Break):
        one.breaks.append(run.journal.since(one.start))
    else:
        one.continues.append(run.journal.since(one.round_mark))


def run_round(run: Run, one: Loop, body: Body) -> bool:
    """Runs the body once; whether there may be another round."""
    one.round_mark = run.journal.mark()
    one.continues = []
    goes_on = body()
    if one.continues:
        _join_ways(run, one.round_mark, one.continues, goes_on)
        return True
    return goes_on


def _join_ways(run: Run, mark: Mark, ways: Sequence[Changes], goes_on: bool) -> None:
    """From here on holds what is common to these ways, and to the one that led here if it goes on."""
    here = [run.journal.since(mark)] if goes_on else []
    run.journal.undo(mark)
    run.journal.merge([*ways, *here])


def finish(run: Run, one: Loop, goes_on: bool) -> bool:
    """Takes in the states at each `break`, after the rounds and the `else` have run."""
    if not one.breaks:
        return goes_on
    _join_ways(run, one.start, one.breaks, goes_on)
    return True


def may_break(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a `break` stands in it, perhaps in a loop inside."""
    return any(isinstance(one, ast.Break) for one in ast.walk(node))
