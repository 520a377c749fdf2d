"""The limits of a run: steps, call depth and recursion."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.static.engine.cold_calls import Charge

MOST_STEPS = 200_000
MOST_OF_FILE = 10 * MOST_STEPS
"""The steps of the entry points of a file after which each further one may take only `LATE_STEPS`."""
MOST_EXHAUSTED = 3
"""The entry points of a file that may run out of steps before each further one may take only `LATE_STEPS`."""
LATE_STEPS = 10_000
MOST_DEPTH = 40
UNCACHED_FACTOR = 4
"""By what factor a run that records origins may take more steps, because no call in it is cached."""
_RECURSION = 6
_RECURSIONS = 64


class OutOfSteps(Exception):
    """Raised when a run exceeds its step budget; its findings so far are kept."""


class StepCost:
    """The cost of a memoized call: its own steps, and how often it made other memoized calls."""

    __slots__ = ("charges", "own", "parts")

    def __init__(self, own: int, parts: dict[StepCost, int]) -> None:
        self.own = own
        self.parts = parts
        self.charges: tuple[Charge, ...] = ()
        """What the accounts of cold calls are charged with."""


class Budget:
    """The steps and recursive calls of one run, and the most steps it may take."""

    __slots__ = ("_paid", "expanded", "in_group", "in_libraries", "most", "recursions", "steps")

    def __init__(self, most: int | None = None) -> None:
        self.most = MOST_STEPS if most is None else most
        self.steps = 0
        self.in_libraries = 0
        """The steps of calls of installed libraries, which have budgets of their own."""
        self.recursions: Counter[ast.AST] = Counter()
        """The number of recursive calls by function, in the outermost of its active calls."""
        self.expanded: set[ast.AST] = set()
        """The groups of statements that ran for each outcome of a condition that they test twice; once is enough."""
        self.in_group = False
        """Whether such a group runs. What it calls does not run so again: that would be exponential."""
        self._paid: set[StepCost] = set()

    @contextmanager
    def for_group(self) -> Iterator[None]:
        """Sets `in_group` inside."""
        self.in_group = True
        try:
            yield
        finally:
            self.in_group = False

    @property
    def is_exhausted(self) -> bool:
        """Whether the run has taken more steps than it may."""
        return self.steps > self.most

    def pay(self, cost: StepCost) -> None:
        """Marks a call that has just been executed: from now on its result costs one step."""
        self._paid.add(cost)

    def charge(self, cost: StepCost) -> None:
        """Charges a call whose result comes from the cache.

        It costs one step. The first time in a run it costs as much as executing it, so that the steps of a run, and
        the place where it runs out of them, do not depend on what other runs have left in the cache.
        """
        waiting = [(cost, 1)]
        while waiting:
            one, times = waiting.pop()
            self.steps += times
            if one not in self._paid:
                self._paid.add(one)
                self.steps += one.own - 1
                waiting += one.parts.items()

    def begin_recursion(self, function: ast.AST) -> None:
        """Starts counting the recursive calls of a function that is not active."""
        self.recursions[function] = 0

    def allows_recursion(self, function: ast.AST, depth: int) -> bool:
        """Whether a function with `depth` active calls may be called again: recursion over a small tree is allowed."""
        if depth > 1:
            self.recursions[function] += 1
        return depth <= 1 or (depth <= _RECURSION and self.recursions[function] <= _RECURSIONS)


def budget_after(steps: int, exhausted: int) -> Budget:
    """The budget of an entry point after so many steps of others of the file, some of which ran out of steps.

    Where each of hundreds of entry points reaches a whole framework, the file would take hours.
    """
    is_late = steps >= MOST_OF_FILE or exhausted >= MOST_EXHAUSTED
    return Budget(min(LATE_STEPS, MOST_STEPS)) if is_late else Budget()


class LibraryBudget(Budget):
    """The budget of a call of an installed library, and of everything that it calls."""

    __slots__ = ()
