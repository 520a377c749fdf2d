"""What a model asks of the sizes of its arguments, and whether it is the model that asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from shapecheck.harness.faults import refuses
from shapecheck.harness.inputs.attempt import Attempt
from shapecheck.harness.inputs.plan import Plan


@dataclass
class Learnt:
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
    tries: int = 1

    @property
    def plan(self) -> Plan:
        """The best plan so far."""
        return self.last.plan

    @property
    def fits(self) -> bool:
        """Whether the model takes it."""
        return self.last.error is None


def is_asked(name: str, learnt: Learnt, attributes: frozenset[int]) -> bool:
    """Whether the model asks for the size that was found for a name, and does not only happen to run with it.

    A layer asks for the sizes of its weights, and for what makes them out of other sizes; an inner function for what
    its annotation says; an assert for what it says. Any other number has to be among the program's own: `attributes`.
    """
    origin = learnt.origins[name]
    size = learnt.sizes[name]
    error = origin.error
    assert error is not None
    if origin.breaks_contract or refuses(error):
        return True
    if origin.weights:
        return size in origin.weights or size not in origin.numbers
    return size in attributes and size in origin.numbers and not is_another(name, size, learnt)


def is_another(name: str, size: int, learnt: Learnt) -> bool:
    """Whether another name has that size, which was not learnt together with this one."""
    origin = learnt.origins.get(name)
    return any(
        found == size and learnt.origins.get(other) is not origin
        for other, found in learnt.plan.sizes.items()
        if other != name and not (other.startswith("*") and not other.rpartition(".")[2].isdigit())
    )
