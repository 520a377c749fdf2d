"""What a model requires of the sizes of its arguments, and whether the model is the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.search.attempt import Attempt

_BROADCAST = re.compile(r"must match the (size of tensor|existing size)")
_ELEMENTS = re.compile(r"invalid for input of size (\d+)")


@dataclass
class SizeConstraints:
    """The model's requirements on the sizes of its arguments."""

    last: Attempt
    sizes: dict[str, int] = field(default_factory=dict)
    """Axis names for which only one size works."""
    multiples: dict[str, int] = field(default_factory=dict)
    """Axis names whose size must be a multiple of a number."""
    least: dict[str, int] = field(default_factory=dict)
    """Axis names that accept a number and larger ones, but not all smaller ones."""
    origins: dict[str, Attempt] = field(default_factory=dict)
    """By name, the attempt whose error required it."""
    hard_coded: dict[str, Attempt] = field(default_factory=dict)
    """Names with a single size that neither a weight nor an attribute nor an assert requires."""
    refused: dict[str, Attempt] = field(default_factory=dict)
    """Optional parameters that the model accepts in no size, while it runs without them: the last attempt of each."""
    tries: int = 1

    @property
    def plan(self) -> InputPlan:
        """The best plan so far."""
        return self.last.plan

    @property
    def fits(self) -> bool:
        """Whether the model accepts it."""
        return self.last.error is None


def is_required_by_model(
    name: str, constraints: SizeConstraints, attributes: frozenset[int], features: frozenset[int]
) -> bool:
    """Whether the model requires the size that was found for a name, and does not run with it only by chance.

    A layer requires the sizes of its weights, and sizes from which these are computed; an inner function requires what
    its annotation states, an assert what it states. Any other number must be one of the program's `attributes`, or,
    if the name is that of the features, one of `features`. Two incompatible tensors require nothing.
    """
    origin = constraints.origins[name]
    size = constraints.sizes[name]
    error = origin.error
    assert error is not None
    if origin.breaks_contract or rejects_sizes(error):
        return True
    is_broadcast = _BROADCAST.search(str(error)) is not None
    if size == 1 and is_broadcast:
        return False
    if origin.weights:
        return (
            size in origin.weights or size not in origin.numbers or _was_size_of_another_name(name, size, constraints)
        )
    if is_size_of_another_name(name, size, constraints):
        return False
    if size in features:
        return size in origin.numbers or _parts(error, size)
    return size in attributes and size in origin.numbers and not is_broadcast


def _parts(error: Exception, size: int) -> bool:
    """Whether the error is about a tensor with a wrong number of elements that is divided into that many parts."""
    found = _ELEMENTS.search(str(error))
    return found is not None and int(found[1]) % size == 0


def _was_size_of_another_name(name: str, size: int, constraints: SizeConstraints) -> bool:
    """Whether the error named the size only because of another name, for which a different size works as well."""
    before, now = constraints.origins[name].plan.sizes, constraints.plan.sizes
    return any(before[other] == size != now.get(other) for other in before if other != name)


def is_size_of_another_name(name: str, size: int, constraints: SizeConstraints) -> bool:
    """Whether another name has that size, which was not inferred together with this one."""
    origin = constraints.origins.get(name)
    return any(
        found == size and constraints.origins.get(other) is not origin
        for other, found in constraints.plan.sizes.items()
        if other != name and not (other.startswith("*") and not other.rpartition(".")[2].isdigit())
    )
