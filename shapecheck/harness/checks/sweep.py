"""Other sizes: 1 and another prime for each free axis, other lengths of variadic axes, no optional arguments.

It also tries contents that annotations allow: sequences that are all shorter than their tensor, 1 for axes with a `#`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.batch import is_batch
from shapecheck.harness.checks.table import check
from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.free_axes import other_sizes
from shapecheck.harness.inputs.primes import primes
from shapecheck.harness.inputs.sizes import own_sizes
from shapecheck.harness.search.attempt import Attempt
from shapecheck.harness.search.changes import TOO_SMALL
from shapecheck.runtime.describe import plural

_RANK = re.compile(
    r"number of dimensions|[Ee]xpected \d+-?D|\d+D or \d+D|got \d+-?D|\d+D \(unbatched\)|Dimension out of range"
    r"|too many indices|must have at least \d+ dim|tensor has no dimensions|values to unpack"
)
"""Messages of torch and Python about the rank of a tensor, not about its sizes."""
_LOST = "squeeze-batch"


@check(10)
def sweep(context: CheckContext) -> Iterator[Diagnostic]:
    """Each axis by itself, and all of them at once."""
    yield from _refused(context)
    yield from _optional(context)
    if context.subject.declared.inputs is not None:
        return
    yield from _lengths(context)
    yield from _broadcast(context)
    others = other_sizes(context)
    all_work = context.run(context.plan.resized(others)).error is None
    for name, other in others.items():
        yield from _axis(context, name, context.plan.sizes[name] if all_work else other)
    for name in context.plan.sizes:
        if name.startswith("*") and "." not in name.strip("."):
            yield from _run(context, name)


def _axis(context: CheckContext, name: str, other: int) -> Iterator[Diagnostic]:
    """One axis: another size, then a single element; if neither works, the first is reported.

    other: the current size if another one is known to work.
    """
    step = context.constraints.multiples.get(name, 1)
    now = context.plan.sizes[name]
    more = context.reference if other == now else _tried(context, name, other)
    if more.error is not None and not _is_limit(more):
        if more.breaks_contract or not _grows_too_large(context, name, now, step):
            found = context.failed(more, f"with {name}={other}, where {name}={now} works")
            is_fixed = found.code == "shape-mismatch" and not more.breaks_contract
            yield replace(found, code="hard-coded-size") if is_fixed else found
            return
        context.notes.append(f"{name}={other} exceeds the largest size that the model accepts")
    if context.plan.resized({name: step}) in context.accepted:
        return
    one = _tried(context, name, step)
    if one.error is None or name in context.constraints.least:
        return
    loses_batch = step == 1 and is_batch(name) and _RANK.search(str(one.error)) is not None
    if loses_batch and _LOST in context.reported_codes:  # at the line that squeezes it
        return
    if loses_batch or not _is_limit(one):
        found = context.failed(one, f"with {name}={step}, where {name}={now} works")
        if loses_batch:
            message = f"a batch of one loses its dimension: {found.message}"
            found = replace(found, code=_LOST, severity=Severity.WARNING, message=message)
        yield found


def _tried(context: CheckContext, name: str, size: int) -> Attempt:
    """An attempt with the same integers, otherwise with those that are in range for the new size."""
    plan = context.plan.resized({name: size})
    tried = context.run(plan)
    if tried.error is None or tried.breaks_contract:
        return tried
    declared = context.subject.declared.ranges
    ranges = {place: (0, limit - 1) for place, limit in (*tried.limits.items(), *tried.starts.items()) if limit}
    ranges |= {place: (1, longest) for place, longest in tried.lengths.items()}
    ranges = {place: both for place, both in ranges.items() if place not in declared}
    return context.run(replace(plan, ranges={**plan.ranges, **ranges})) if ranges else tried


def _grows_too_large(context: CheckContext, name: str, now: int, step: int) -> bool:
    """Whether smaller sizes work: then there is a maximum, such as the length of a table of positions."""
    return any(
        context.run(context.plan.resized({name: size})).error is None for size in range(now - step, 1, -step)[:3]
    )


def _is_limit(tried: Attempt) -> bool:
    """Whether the model itself rejects a size that small, or that size in general."""
    assert tried.error is not None
    if tried.breaks_contract:
        return False
    return rejects_sizes(tried.error) or TOO_SMALL.search(str(tried.error)) is not None


def _run(context: CheckContext, name: str) -> Iterator[Diagnostic]:
    """Fewer and more axes in `*batch`."""
    sizes = context.plan.sizes
    fresh = next(primes(set(sizes.values()) | own_sizes(context.model)))
    for axes in (0, 1, 3):
        if axes == sizes[name]:
            continue
        tried = context.run(
            context.plan.resized({name: axes, f"{name}.1": sizes.get(f"{name}.1", fresh), f"{name}.2": fresh})
        )
        if tried.error is not None and not _is_limit(tried):
            verb = "works" if sizes[name] == 1 else "work"
            yield context.failed(tried, f"with {plural(axes, 'dimension')} for {name}, where {sizes[name]} {verb}")


def _lengths(context: CheckContext) -> Iterator[Diagnostic]:
    """All sequences shorter than the tensor that contains them."""
    shorter = {place: (1, longest - 1) for place, longest in context.reference.lengths.items() if longest > 1}
    if not shorter or context.subject.declared.ranges.keys() & shorter.keys():
        return
    tried = context.run(replace(context.plan, ranges={**context.plan.ranges, **shorter}))
    if tried.error is not None and not _is_limit(tried):
        yield context.failed(tried, "when all sequences are shorter than the padded tensor")


def _broadcast(context: CheckContext) -> Iterator[Diagnostic]:
    """Size 1 for axes that are annotated as `#b`."""
    if not context.subject.specification.is_broadcast(context.plan.absent):
        return
    tried = context.run(replace(context.plan, narrow=True))
    if tried.error is not None and not _is_limit(tried):
        yield context.failed(tried, "with size 1 for the axes marked #")


def _refused(context: CheckContext) -> Iterator[Diagnostic]:
    """Each optional tensor that the model accepts in no size.

    Only errors of torch or of an annotation count: one tensor may require another, or exclude all others.
    """
    for name, tried in context.constraints.refused.items():
        if not _is_limit(tried):
            found = context.failed(tried, f"with {name} in any size; the call works without it")
            if found.code != "failed-run":
                yield found


def _optional(context: CheckContext) -> Iterator[Diagnostic]:
    """Each optional tensor left out, and all of them."""
    for plan in context.plans_without_optional():
        tried = context.run(plan)
        if tried.error is not None and not _is_limit(tried):
            yield context.failed(tried, f"without {', '.join(sorted(plan.absent - context.plan.absent))}")
