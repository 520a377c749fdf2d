"""Cold calls: a function that takes many steps and never meets a tensor is no longer run, but summarized.

The steps of every executed call are charged to its function. Once a function has taken a multiple of the size of its
body, and no call of it met a tensor, built a layer, returned numbers or failed, further calls have an unknown result,
and what the function and the code that it reaches may write is unknown. So the steps that a file spends on code
without tensors (events, logging, reading of data) are linear in the size of that code.

Accounts belong to one file, or to the body of one module. What is charged does not depend on what other files left in
the cache: a memoized call is charged with the steps of the calls that were executed inside it, the first time.
"""

from __future__ import annotations

import ast
from collections.abc import Set
from itertools import count
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.own_scope import in_own_scope
from shapecheck.static.domain.abstract_values import Field
from shapecheck.static.domain.function_writes import FunctionWrites, writes_of_all
from shapecheck.static.domain.objects import FunctionValue, Object
from shapecheck.static.engine.budget import StepCost
from shapecheck.static.engine.code_reach import CodeReach, reach_of

_PER_NODE = 6
"""How many evaluations of each node in the body of a function its calls may take in all."""
_LEAST = 150
"""The steps that the calls of any function may take."""

_epochs = count(1)


class Charge(NamedTuple):
    """The steps of one executed call, without those of the calls in it, and what it did."""

    function: ast.AST
    steps: int
    called: Set[object]
    changes: Set[tuple[Object, Field]]
    """The fields of objects of modules that it changed."""
    is_warm: bool
    """Whether it met a tensor, built a layer, returned numbers or failed."""


class _Account:
    __slots__ = ("called", "changes", "is_warm", "left", "writes", "writes_of_calls")

    def __init__(self, left: int) -> None:
        self.left = left
        self.is_warm = False
        self.called: set[object] = set()
        self.changes: set[tuple[Object, Field]] = set()
        self.writes: FunctionWrites | None = None
        self.writes_of_calls: FunctionWrites | None = None

    def copy(self) -> _Account:
        """A copy that is charged separately."""
        made = _Account(self.left)
        made.is_warm, made.called, made.changes = self.is_warm, set(self.called), set(self.changes)
        return made


class ColdCalls:
    """The accounts of the functions that a file calls, and the functions whose calls are summarized."""

    __slots__ = ("_accounts", "_charges", "_paid", "_reach", "cold", "epoch", "is_frozen")

    def __init__(self) -> None:
        self.epoch = next(_epochs)
        """What results are valid for that depend on summaries."""
        self.cold: set[ast.AST] = set()
        """The functions whose calls are summarized; there are more and more of them."""
        self.is_frozen = False
        self._accounts: dict[ast.AST, _Account] = {}
        self._charges: list[Charge] = []
        self._paid: set[StepCost] = set()
        self._reach: dict[FunctionValue, CodeReach | None] = {}

    def frozen(self) -> ColdCalls:
        """The accounts as they are, for runs that must go as far as an earlier one: nothing more becomes cold."""
        made = ColdCalls()
        made.cold, made._accounts, made.is_frozen = set(self.cold), self._accounts, True
        return made

    def copy(self) -> ColdCalls:
        """The accounts as they are, for an attempt that may be discarded."""
        made = ColdCalls()
        made.cold, made._charges, made._paid = set(self.cold), list(self._charges), set(self._paid)
        made._accounts = {function: one.copy() for function, one in self._accounts.items()}
        return made

    def reach_of(self, function: FunctionValue) -> CodeReach | None:
        """What a cold function reaches by name; None if that is too much."""
        if function not in self._reach:
            self._reach[function] = reach_of(function)
        return self._reach[function]

    def writes_of(self, function: FunctionValue) -> FunctionWrites:
        """What a cold function may write, with those that ran in its calls and those that it reaches."""
        account, reach = self._accounts[function.node], self.reach_of(function)
        if account.writes is None:
            account.writes = writes_of_all({*account.called, *(reach.functions if reach is not None else ())})
        return account.writes

    def writes_of_calls(self, function: FunctionValue) -> FunctionWrites:
        """What the functions may write that ran in the calls of a cold function."""
        account = self._accounts[function.node]
        if account.writes_of_calls is None:
            account.writes_of_calls = writes_of_all((function.node, *account.called))
        return account.writes_of_calls

    def changes_of(self, function: ast.AST) -> Set[tuple[Object, Field]]:
        """The fields of objects of modules that calls of a cold function changed."""
        return self._accounts[function].changes

    @property
    def position(self) -> int:
        """The number of charges so far, for `settle`."""
        return len(self._charges)

    def charge(self, one: Charge) -> None:
        """Charges an executed call."""
        if not self.is_frozen:
            self._charges.append(one)
            self._apply(one)

    def settle(self, cost: StepCost, position: int) -> None:
        """Moves the charges since a position to a call that is memoized: reusing it charges them again."""
        cost.charges = tuple(self._charges[position:])
        del self._charges[position:]
        self._paid.add(cost)

    def reuse(self, cost: StepCost) -> None:
        """Charges a call whose result comes from the cache, the first time as if it had been executed."""
        waiting = [] if self.is_frozen else [cost]
        while waiting:
            one = waiting.pop()
            if one not in self._paid:
                self._paid.add(one)
                for charge in one.charges:
                    self._apply(charge)
                waiting += one.parts

    def _apply(self, charge: Charge) -> None:
        account = self._accounts.get(charge.function)
        if account is None:
            account = self._accounts[charge.function] = _Account(_LEAST + _PER_NODE * _size(charge.function))
        if account.is_warm:
            return
        if charge.is_warm:
            account.is_warm = True
            self.cold.discard(charge.function)
            return
        account.called |= charge.called
        account.changes |= charge.changes
        account.writes = account.writes_of_calls = None
        account.left -= charge.steps
        if account.left < 0:
            self.cold.add(charge.function)


@cached_on_node
def _size(function: ast.AST) -> int:
    """The number of statements and expressions in the body of a function."""
    return sum(isinstance(one, (ast.expr, ast.stmt)) for one in in_own_scope(function))
