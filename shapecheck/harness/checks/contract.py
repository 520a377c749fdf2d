"""The reference run: the annotations hold for inputs that match them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.formatting import first_line
from shapecheck.harness.search.attempt import Attempt

_MANY = 10


@check(0)
def contract(context: CheckContext) -> Iterator[Diagnostic]:
    """Shapes, dtypes and layouts at each annotated boundary, and sizes that are hard-coded in forward."""
    constraints = context.constraints
    if not constraints.fits:
        yield context.failed(context.reference, _sizes(context))
        return
    for name, size in constraints.sizes.items():
        origin = constraints.origins.get(name)
        if (
            origin is not None
            and origin.error is not None
            and (name in constraints.hard_coded or _is_written(origin, size))
        ):
            had = origin.plan.sizes[name]
            why = f"with {name}={had}, {first_line(origin.error)}"
            message = f"the annotation allows any {name}, but this line requires {size}: {why}"
            yield context.finding("hard-coded-size", message, origin.place)


def _is_written(origin: Attempt, size: int) -> bool:
    """Whether the number appears in the line that failed, unless that is an assert."""
    if origin.place is None or size == 1 or (origin.error is not None and rejects_sizes(origin.error)):
        return False
    return re.search(rf"(?<![\w.]){size}(?![\w.])", origin.place.text) is not None


def _sizes(context: CheckContext) -> str:
    sizes = ", ".join(
        f"{name}={size}" for name, size in context.reference.plan.sizes.items() if not name.startswith("*")
    )
    if not sizes:
        return ""
    if context.constraints.tries < _MANY or context.reference.is_final:
        return f"with {sizes}"
    tries = context.constraints.tries
    return f"with {sizes}; {tries} calls with other sizes also failed; set sizes with @shapecheck.case(dims=...)"
