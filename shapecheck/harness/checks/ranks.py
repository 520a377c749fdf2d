"""Several processes run the model together: their shards match, and they call the same collectives."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.cases.build import constructor_of
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.layer_definition import find_definition
from shapecheck.harness.ranks.judge import Problem, problems, shard_records
from shapecheck.harness.ranks.order import Order
from shapecheck.harness.wrap import NAMES
from shapecheck.runtime.guards.places import SourceLocation

_PATIENCE = 4
"""A process waits for others for this part of the time of a case."""
_PART = 2
"""A process ends after this part of the time of a case."""


@check(96, needs_data=True, wanted=lambda options: options.ranks > 1)
def ranks(context: CheckContext) -> Iterator[Diagnostic]:
    """A call and its gradient with the same data in all processes; with `--wrap`, another with data of their own."""
    if "wrap-mismatch" in context.reported_codes:
        raise Skip("the check wrapped reports the wrapper")
    if context.subject.device.type != "cpu":
        raise Skip("processes communicate by gloo, on device cpu")
    wrapper = NAMES.get(context.options.wrap, "") or ("parallelize" if context.subject.declared.parallelize else "")
    try:
        from shapecheck.harness.ranks.launch import launched  # noqa: PLC0415 - imports torch's launcher and DTensor
    except ImportError:
        raise Skip(f"expected torch 2.6 or newer with torch.distributed, got {torch.__version__}") from None
    with tempfile.TemporaryDirectory(prefix="shapecheck-ranks-") as folder:
        results = launched(_order(context, Path(folder), bool(wrapper)), context.options.ranks)
    refused = next((one.record.refused for one in results if one.record.refused), "")
    if refused:
        raise Skip(refused)
    context.shards.extend(shard_records(results))
    for problem in problems(results, wrapper):
        yield context.finding(problem.code, problem.message, _location(context, problem))


def _order(context: CheckContext, folder: Path, is_wrapped: bool) -> Order:
    subject, options = context.subject, context.options
    case = subject.case
    if case.found_in is None:
        raise Skip("case cannot be loaded in another process")
    return Order(
        case.found_in,
        case.name,
        constructor_of(case),
        subject.known,
        context.plan,
        options,
        folder,
        compares=is_wrapped and not context.is_random,
        wait_seconds=options.seconds / _PATIENCE,
        limit_seconds=options.seconds / _PART,
    )


def _location(context: CheckContext, problem: Problem) -> SourceLocation | None:
    """The line of a finding: where a parameter is defined, or the forward of a module."""
    if problem.line:
        return SourceLocation(problem.path, problem.line)
    with suppress(AttributeError):  # parallelize has renamed it
        found = find_definition(context.model, problem.tensor.partition(" ")[0])
        return None if found is None else found[0]
    return None
