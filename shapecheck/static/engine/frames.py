"""Calls that are being run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from shapecheck.static.domain.values import Namespace, Value
from shapecheck.static.engine.journal import Changes, Mark
from shapecheck.static.engine.places import Place

if TYPE_CHECKING:
    from shapecheck.static.contracts.checked_call import CheckedCall
    from shapecheck.static.statements.loop_exits import Loop

_START = Mark(0, 0, 0)


class Frame:
    """One call that is being run: its local names, and what it has returned so far."""

    __slots__ = (
        "agreement",
        "branched",
        "call",
        "exits",
        "function",
        "loops",
        "names",
        "open_branches",
        "outer",
        "returned",
        "started",
        "yielded",
    )

    def __init__(self, names: Namespace, function: ast.AST | None = None, call: Place | None = None) -> None:
        self.names = names
        self.function = function
        self.call = call
        self.returned: list[Value] = []
        self.yielded: list[Value] = []
        self.branched = False
        self.agreement: CheckedCall | None = None
        """What its annotations promise, where they promise anything."""
        self.loops: list[Loop] = []
        self.outer: dict[str, Namespace] = {}
        """Where the names lie that are bound further out: `global`, `nonlocal`."""
        self.exits: list[Changes] = []
        """What was changed on each way out of a function that has several."""
        self.open_branches = 0
        self.started = _START
        """Where the record of changes was when it began."""

    @property
    def is_parted(self) -> bool:
        """Whether not every run of the function is where this one is."""
        return bool(self.open_branches or self.exits or any(one.breaks or one.continues for one in self.loops))
