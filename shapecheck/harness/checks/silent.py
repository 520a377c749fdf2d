"""The guards' rules, at the reference sizes and with a batch of one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress

from shapecheck.diagnostics import GUARDS, REFUSALS, Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.batch import first_axis
from shapecheck.harness.checks.precision import is_float32
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.squeezes import Squeezes
from shapecheck.runtime.guards import guard
from shapecheck.runtime.guards.places import SourceLocation
from shapecheck.runtime.switch import configured


@check(5)
def silent(context: CheckContext) -> Iterator[Diagnostic]:
    """Outer broadcasts, losses over pairs, float64 leaks, lost batches; 16-bit operands in a model of float32 alone."""
    rules = (*configured().guard.rules, "precision-leak") if is_float32(context) else None
    several, one = Squeezes(), Squeezes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        watch = guard(rules)
        with suppress(Exception), watch, several:
            context.run(context.plan)
        with suppress(Skip, Exception), watch, one:
            single = context.run(context.plan.resized({first_axis(context): 1}))
            context.accepted += [single.plan] if single.error is None else []
    for place in several.only_of_one(one):
        yield context.finding("squeeze-batch", "squeeze() removes the dimension of a batch of one, and no other", place)
    for found in watch:
        if found.code in GUARDS and found.code not in REFUSALS:
            yield context.finding(found.code, found.message, SourceLocation(found.path, found.line), found.severity)
