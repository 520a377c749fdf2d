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
    """What the model asks of the sizes of its arguments."""

    last: Attempt
    sizes: dict[str, int] = field(default_factory=dict)
    """Axis names for which one number fits."""
    multiples: dict[str, int] = field(default_factory=dict)
    """Axis names whose size has to be a multiple of a number."""
    least: dict[str, int] = field(default_factory=dict)
    """Axis names that take a number and larger ones, and not all smaller ones."""
    origins: dict[str, Attempt] = field(default_factory=dict)
    """By name, the try whose error asked for it."""
    hard_coded: dict[str, Attempt] = field(default_factory=dict)
    """Names that take one number, which neither a weight nor an attribute nor an assert asks for."""
    refused: dict[str, Attempt] = field(default_factory=dict)
    """Optional parameters that the model takes in no size, while it runs without them: the last try of each."""
    tries: int = 1

    @property
    def plan(self) -> InputPlan:
        """The best plan so far."""
        return self.last.plan

    @property
    def fits(self) -> bool:
        """Whether the model takes it."""
        return self.last.error is None


def is_required_by_model(
    name: str, constraints: SizeConstraints, attributes: frozenset[int], features: frozenset[int]
) -> bool:
    """Whether the model asks for the size that was found for a name, and does not only happen to run with it.

    A layer asks for the sizes of its weights, and for what makes them out of other sizes; an inner function for what
    its annotation says; an assert for what it says. Any other number has to be one of the program's `attributes`, or,
    where the name is that of the features, one of `features`. Two tensors that do not go together ask for nothing.
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
    """Whether the error is about a tensor that has not as many elements as are asked for, and that many parts."""
    found = _ELEMENTS.search(str(error))
    return found is not None and int(found[1]) % size == 0


def _was_size_of_another_name(name: str, size: int, constraints: SizeConstraints) -> bool:
    """Whether the error named the size only for another name, which has had another size since, and that fits too."""
    before, now = constraints.origins[name].plan.sizes, constraints.plan.sizes
    return any(before[other] == size != now.get(other) for other in before if other != name)


def is_size_of_another_name(name: str, size: int, constraints: SizeConstraints) -> bool:
    """Whether another name has that size, which was not learnt together with this one."""
    origin = constraints.origins.get(name)
    return any(
        found == size and constraints.origins.get(other) is not origin
        for other, found in constraints.plan.sizes.items()
        if other != name and not (other.startswith("*") and not other.rpartition(".")[2].isdigit())
    )
