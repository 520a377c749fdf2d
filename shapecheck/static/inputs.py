"""What code that is run alone demands of its arguments, learnt by running it.

It runs until an argument of which too little is known meets an operator or a layer that wants more of it, on a way that
every run takes; then it runs again with an argument that has what is wanted. The sizes of such an argument are unknown
numbers with names, which prove nothing.

Where torch takes an input with a batch axis and one without, the one with it is what is run, and what that finds counts
only where the other reading is refused as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shapecheck.diagnostics import REVEALED
from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec, unknown
from shapecheck.static.all_ranks import EXACT_RANKS
from shapecheck.static.demands import Demand, demand_of, takes_tensor, with_demand
from shapecheck.static.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapecheck.static.findings import Finding
    from shapecheck.static.machine import Machine

_MOST_RUNS = 12


class Given(Unknown):
    """An argument of which nothing is known, not even that it is a tensor."""

    __slots__ = ("name", "size")

    def __init__(self, name: str) -> None:
        super().__init__(f"the argument {name}")
        self.name = name
        self.size = unknown(name)
        """What it is wherever a layer is built with it."""


class Demanded(Exception):
    """An argument must be more than what it was taken for: the run begins again."""


@dataclass
class Inputs:
    """The arguments that are being learnt."""

    batched: bool
    """Whether an input that may lack its batch axis has it."""
    values: dict[str, Value] = field(default_factory=dict)
    chose: bool = False
    """Whether the batch axis of one was taken for granted."""

    def name_of(self, value: object) -> str | None:
        """The argument that a value is, or has the shape of, where that may be learnt."""
        if isinstance(value, Given):
            name = value.name
            return name if self.values.get(name) is value else None
        if not isinstance(value, TensorSpec) or value.rank is not None:
            return None
        for name, known in self.values.items():
            if isinstance(known, TensorSpec) and known.shape == value.shape:
                return name
        return None

    def learn(self, name: str, demand: Demand) -> None:
        """Begins again, if that is more than was known."""
        known = self.values[name]
        before = known.shape if isinstance(known, TensorSpec) else None
        shape = with_demand(before, demand, batched=self.batched)
        if shape is not None and shape != before:
            self.values[name] = TensorSpec.make(shape, known.dtype if isinstance(known, TensorSpec) else None)
            self.chose |= demand.may_lack_batch
            raise Demanded


def learn_from_call(
    machine: Machine, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> None:
    """Sees what an operator or a layer wants of its first argument."""
    inputs = machine.inputs
    if isinstance(name, str) and not name[0].isalpha():
        _learn_from_operands(machine, args)
        return
    if isinstance(name, str) and (ranks := EXACT_RANKS.get(name.rpartition(".")[2])) is not None:
        _learn_ranks(machine, args, ranks)
    first = args[0] if args else kwargs.get("input")
    if inputs is None or (parameter := inputs.name_of(first)) is None or not machine.surely_comes_here:
        return
    demand = demand_of(name, args, kwargs)
    if demand is not None:
        inputs.learn(parameter, demand)
    elif isinstance(first, Given) and takes_tensor(name):
        inputs.learn(parameter, Demand())


def _learn_ranks(machine: Machine, args: tuple[Value, ...], ranks: tuple[int | None, ...]) -> None:
    for value, rank in zip(args, ranks, strict=False):
        if rank is not None:
            learn_rank(machine, value, [f"d{axis}" for axis in range(rank)])


def _learn_from_operands(machine: Machine, operands: tuple[Value, ...]) -> None:
    """What stands beside a tensor in arithmetic is one, or a number, which nothing could be found with."""
    inputs = machine.inputs
    if inputs is not None and any(isinstance(one, TensorSpec) for one in operands) and machine.surely_comes_here:
        for one in operands:
            if isinstance(one, Given) and inputs.name_of(one) is not None:
                inputs.learn(one.name, Demand())


def learn_rank(machine: Machine, value: Value, names: Iterable[str]) -> None:
    """The sizes of a value are unpacked into so many names."""
    inputs = machine.inputs
    if inputs is not None and (parameter := inputs.name_of(value)) is not None and machine.surely_comes_here:
        inputs.learn(parameter, Demand(tuple(names)))


def learn_tensor(machine: Machine, value: Value) -> None:
    """What only a tensor has is read of a value."""
    inputs = machine.inputs
    if (
        inputs is not None
        and isinstance(value, Given)
        and inputs.name_of(value) is not None
        and machine.surely_comes_here
    ):
        inputs.learn(value.name, Demand())


def learn_size(machine: Machine, value: Value) -> None:
    """A layer is built with so many channels."""
    inputs = machine.inputs
    if (
        inputs is not None
        and isinstance(value, Given)
        and inputs.name_of(value) is not None
        and machine.surely_comes_here
    ):
        inputs.values[value.name] = value.size
        raise Demanded


Run = Callable[[Mapping[str, Value]], Value]


def is_open(value: Value) -> bool:
    """Whether an argument may be learnt."""
    return isinstance(value, Given) or (isinstance(value, TensorSpec) and value.shape.rank is None)


def run_learning(machine: Machine, values: Mapping[str, Value], run: Run) -> Value:
    """What `run` gives for these arguments, each as it is demanded."""
    if not values:
        return run(values)
    before = dict(machine.findings)
    inputs = Inputs(batched=True)
    result = _until_settled(machine, inputs, values, run)
    if inputs.chose and _refused(machine.findings, before):
        after = machine.findings
        machine.findings = dict(before)
        with _unwatched(machine):
            _until_settled(machine, Inputs(batched=False), values, run)
        otherwise, found = _refused(machine.findings, before), _refused(after, before)
        silent = found - otherwise if otherwise <= found else set()
        machine.findings = {key: one for key, one in after.items() if key not in silent}
    return result


@contextmanager
def _unwatched(machine: Machine) -> Iterator[None]:
    watch, machine.watch = machine.watch, None
    try:
        yield
    finally:
        machine.watch = watch


def _refused(findings: Mapping[Any, Finding], before: Mapping[Any, Finding]) -> set[Any]:
    """Where something new was found; what the source asks to be told is none of it."""
    return {key for key, one in findings.items() if key not in before and one.diagnostic.code not in REVEALED}


def _until_settled(machine: Machine, inputs: Inputs, values: Mapping[str, Value], run: Run) -> Value:
    inputs.values = dict(values)
    outer, before = machine.inputs, dict(machine.findings)

    def attempt() -> Value:
        try:
            return run(inputs.values)
        except Demanded:
            return None

    try:
        for _ in range(_MOST_RUNS):
            machine.inputs, tried = inputs, dict(inputs.values)
            result, changes = machine.journal.apart(attempt)
            if inputs.values == tried:
                machine.journal.apply(changes)
                return result
            machine.findings = dict(before)
        machine.inputs = None
        return run(inputs.values)
    finally:
        machine.inputs = outer
