"""Frames of active calls."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.engine.journal import Changes, Mark
from shapecheck.static.engine.places import Place

if TYPE_CHECKING:
    from shapecheck.static.contracts.checked_call import CheckedCall
    from shapecheck.static.statements.loop_exits import Loop

_START = Mark(0, 0, 0)


class Frame:
    """The frame of an active call: its local names, and the values returned so far."""

    __slots__ = (
        "agreement",
        "branched",
        "call",
        "caller_branches",
        "exits",
        "function",
        "is_doubtful",
        "is_trying",
        "loops",
        "name",
        "names",
        "open_branches",
        "open_loops",
        "other_modes",
        "outer",
        "recursion_key",
        "returned",
        "scope",
        "started",
        "yielded",
    )

    def __init__(self, names: Namespace, function: ast.AST | None = None, call: Place | None = None) -> None:
        self.names = names
        self.scope = names
        """The innermost namespace: that of the running comprehension, else `names`."""
        self.function = function
        self.name: str = getattr(function, "name", "")
        self.call = call
        self.returned: list[Value] = []
        self.yielded: list[Value] = []
        self.branched = False
        self.agreement: CheckedCall | None = None
        """The checked contract of the call; None if the function has none."""
        self.loops: list[Loop] = []
        self.outer: dict[str, Namespace] = {}
        """The namespaces of names declared `global` or `nonlocal`."""
        self.exits: list[Changes] = []
        """The changes at each `return` so far, for functions with several."""
        self.open_branches = 0
        self.open_loops = 0
        """The number of these that are rounds of loops of unknown length."""
        self.other_modes = 0
        """The number of branches around the current statement that are for a mode that may not be the caller's."""
        self.caller_branches = 0
        """The number of branches around it on unknown conditions, where the caller's arguments may decide."""
        self.is_trying = False
        """Whether the body of a `try` with handlers is running."""
        self.is_doubtful = False
        """Whether a condition with one outcome, which is not computed, led to the current statement."""
        self.recursion_key: list[object] | None = None
        """The arguments of a recursive call."""
        self.started = _START
        """The position in the journal when it began."""

    def proves_nothing(self, *, in_any_mode: bool, for_any_caller: bool) -> bool:
        """Whether what fails at the current statement may not be a mistake.

        in_any_mode, for_any_caller: whether it is one in a branch for another mode, and with other arguments.
        """
        if self.is_doubtful or (self.other_modes > 0 and not in_any_mode):
            return True
        return self.caller_branches > 0 and not for_any_caller

    @property
    def is_parted(self) -> bool:
        """Whether some executions of the function do not reach the current statement."""
        return bool(self.open_branches or self._has_exits)

    @property
    def is_parted_by_condition(self) -> bool:
        """The same for executions in which all loops have rounds."""
        return self.open_branches > self.open_loops or self._has_exits

    @property
    def _has_exits(self) -> bool:
        return bool(self.exits) or any(one.breaks or one.continues for one in self.loops)
