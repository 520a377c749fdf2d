"""Losses whose two inputs broadcast, in source."""

from __future__ import annotations

from functools import partial

from shapecheck.conditions import loss_broadcast as rule
from shapecheck.conditions.intent import intent_of
from shapecheck.ops import Trait
from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes


@before(rule.CODE, Trait.BROADCASTING_LOSS)
def pairs(call: AbstractCall) -> None:
    """Reports a loss of `(n,)` against `(n, 1)`."""
    input, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(input, TensorSpec) or not isinstance(target, TensorSpec):
        return
    found = rule.find(call.name, input, target, partial(intent_of, call.run.loaded.tree, call.node))
    if found is not None:
        why = partial(conflict_notes, call.run, call.node, call.name, (input, target), {})
        causes = partial(causes_of_pair, call.run, call.node, input, target)
        call.run.report(rule.CODE, call.node, found.message, why, causes)
