"""Losses whose two inputs broadcast, in source."""

from __future__ import annotations

from functools import partial

from shapecheck.conditions import loss_broadcast as rule
from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import OperatorCall, before
from shapecheck.static.provenance.conflicts import conflict_notes


@before(rule.CODE, *rule.OPERATORS, *(f"{name}()" for name in rule.LAYERS))
def pairs(call: OperatorCall) -> None:
    """Reports a loss of `(n,)` against `(n, 1)`."""
    input, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(input, TensorSpec) or not isinstance(target, TensorSpec):
        return
    name = call.name.removesuffix("()")
    found = rule.find(name, input, target)
    if found is not None:
        why = partial(conflict_notes, call.run, call.node, name, (input, target), {})
        call.run.report(rule.CODE, call.node, found.message, why)
