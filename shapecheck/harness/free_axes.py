"""The axes of the inputs that can have any size, and other sizes for them."""

from __future__ import annotations

from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.inputs.primes import primes
from shapecheck.harness.inputs.sizes import own_sizes


def free_names(context: CheckContext) -> list[str]:
    """The names that the model accepts in any size, as far as is known."""
    fixed = {*context.subject.declared.dims, *context.constraints.sizes}
    return [name for name in context.plan.sizes if name not in fixed and not _is_rank(name)]


def other_sizes(context: CheckContext) -> dict[str, int]:
    """Another size for each free axis, all of them different."""
    taken = own_sizes(context.model) | set(context.plan.sizes.values())
    found: dict[str, int] = {}
    for name in free_names(context):
        step = context.constraints.multiples.get(name, 1)
        least = max(2, context.plan.sizes[name] // step + 1)
        found[name] = step * next(primes(taken | {size // step for size in found.values()}, least))
    return found


def _is_rank(name: str) -> bool:
    return name.startswith("*") and not name.rpartition(".")[2].isdigit()
