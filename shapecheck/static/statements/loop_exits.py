"""Loops and their exits: each `break` and `continue` leaves with a state of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.doubts import Doubts
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.journal import Changes, Mark
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run

Body = Callable[[], bool]
"""Runs a loop's body once; False if the end is not reached."""


class Iteration(NamedTuple):
    """An iteration of a loop, counted from 1."""

    loop: Place
    number: int


class Loop:
    """A running loop: where it began, and the changes at each exit so far."""

    __slots__ = (
        "breaks",
        "continues",
        "depth",
        "doubts",
        "exits",
        "repeated",
        "replaced",
        "replacing",
        "round_mark",
        "start",
    )

    def __init__(self, start: Mark, frame: Frame) -> None:
        self.start = start
        self.round_mark = start
        self.breaks: list[Changes] = []
        self.continues: list[Changes] = []
        self.replacing: ast.expr | None = None
        """The `xs[i]` of a loop that replaces every item of `xs`."""
        self.replaced: list[Value] = []
        """The values assigned to it."""
        self.depth = frame.open_branches - frame.open_loops
        self.exits = len(frame.exits)
        self.doubts: Doubts | None = None
        self.repeated: Iteration | None = None
        """A later iteration than the first one, while it runs for its findings."""

    def is_parted(self, frame: Frame) -> bool:
        """Whether the current iteration may not reach this point of the function."""
        exits = self.breaks or self.continues or len(frame.exits) > self.exits
        return bool(exits) or frame.open_branches - frame.open_loops > self.depth


@contextmanager
def loop(run: Run) -> Iterator[Loop]:
    """Enters a loop."""
    begun = Loop(run.journal.mark(), run.frame)
    run.frame.loops.append(begun)
    try:
        yield begun
    finally:
        run.frame.loops.pop()


@contextmanager
def open_loop(run: Run) -> Iterator[Loop]:
    """Enters a loop of unknown length, whose body runs as a branch."""
    frame = run.frame
    frame.open_loops += 1
    try:
        with loop(run) as begun:
            yield begun
    finally:
        frame.open_loops -= 1


def leave(run: Run, node: ast.Break | ast.Continue) -> None:
    """Records the changes at a `break` or `continue` of the innermost loop."""
    if not run.frame.loops:
        return
    one = run.frame.loops[-1]
    if isinstance(node, ast.Break):
        one.breaks.append(run.journal.since(one.start))
    else:
        one.continues.append(run.journal.since(one.round_mark))


def run_round(run: Run, one: Loop, body: Body) -> bool:
    """Runs the body once; returns whether another iteration may follow."""
    one.round_mark = run.journal.mark()
    one.continues = []
    goes_on = body()
    if one.continues:
        _join_exits(run, one.round_mark, one.continues, goes_on)
        return True
    return goes_on


def run_later_rounds(run: Run, one: Loop, node: ast.AST, bodies: Iterable[Body], first: int = 2) -> None:
    """Runs further iterations, the `first` one and so on, for their findings alone; their changes are undone."""
    frame = run.frame
    before = len(frame.returned), len(frame.exits), len(one.breaks)

    def rounds() -> None:
        for number, body in enumerate(bodies, first):
            one.repeated = Iteration(Place(run.loaded, node), number) if number > 1 else None
            if not run_round(run, one, body):
                return

    try:
        run.journal.apart(rounds)
    finally:
        one.repeated = None
        del frame.returned[before[0] :], frame.exits[before[1] :], one.breaks[before[2] :]


def _join_exits(run: Run, mark: Mark, exits: Sequence[Changes], goes_on: bool) -> None:
    """Joins the states of these exits, and the current one if execution continues from here."""
    here = [run.journal.since(mark)] if goes_on else []
    run.journal.undo(mark)
    run.journal.merge([*exits, *here])


def finish(run: Run, one: Loop, goes_on: bool) -> bool:
    """Joins the states at each `break`, after the iterations and the `else` have run."""
    if not one.breaks:
        return goes_on
    _join_exits(run, one.start, one.breaks, goes_on)
    return True


def may_break(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether the loop contains a `break`, possibly of an inner loop."""
    return any(isinstance(one, ast.Break) for one in walk(node))
