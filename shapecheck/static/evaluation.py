"""The two ways in: what an expression gives, and what statements do, by tables that are filled where the rules stand.

It imports none of the rules, so that they, and whatever they call, can import it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.static.machine import Machine
from shapecheck.static.values import Value

EXPRESSIONS: dict[type[ast.expr], Callable[[Machine, Any], Value]] = {}
"""What an expression gives, by the kind of its node."""
STATEMENTS: dict[type[ast.stmt], Callable[[Machine, Any], bool]] = {}
"""What a statement does, by the kind of its node; each says whether the run goes on after it."""


def evaluate(machine: Machine, node: ast.expr) -> Value:
    """The value of an expression."""
    machine.budget.steps += 1
    rule = EXPRESSIONS.get(type(node))
    value = rule(machine, node) if rule is not None else Unknown(f"{type(node).__name__} is not modelled")
    if machine.watch is not None:
        machine.watch.saw(machine, node, value)
    return value


def run_block(machine: Machine, body: Sequence[ast.stmt]) -> bool:
    """Runs statements in order; False where a return, raise, break or continue ends them."""
    for node in body:
        machine.step()
        rule = STATEMENTS.get(type(node))
        if rule is not None and not rule(machine, node):
            return False
    return True
