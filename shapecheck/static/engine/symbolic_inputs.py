"""What code that is run alone demands of its arguments, learnt by running it.

It runs until an argument of which too little is known meets an operator or a layer that wants more of it, on a way that
every run takes; then it runs again with an argument that has what is wanted. The sizes of such an argument are unknown
numbers with names, which prove nothing.

Where torch takes an input with a batch axis and one without, the one with it is what is run, and what that finds counts
only where the other reading is refused as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.diagnostics import REVEALED
from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec, unknown
from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.engine.operand_requirements import (
    OperandRequirement,
    requirement_of,
    takes_tensor,
    with_requirement,
)
from shapecheck.static.engine.rank_polymorphic import EXACT_RANKS
from shapecheck.static.engine.scopes import Learning, learning, unwatched

if TYPE_CHECKING:
    from shapecheck.static.engine.findings import Finding, FindingKey
    from shapecheck.static.engine.run import Run

_MOST_RUNS = 12


class SymbolicArgument(AbstractValue, Unknown):
    """An argument of which nothing is known, not even that it is a tensor."""

    __slots__ = ("name", "size")
    key_slots = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__(f"the argument {name}")
        self.name = name
        self.size = unknown(name)
        """What it is wherever a layer is built with it."""


class RestartAnalysis(Exception):
    """An argument must be more than what it was taken for: the run begins again."""


@dataclass
class SymbolicInputs:
    """The arguments that are being learnt."""

    batched: bool
    """Whether an input that may lack its batch axis has it."""
    values: dict[str, Value] = field(default_factory=dict)
    chose: bool = False
    """Whether the batch axis of one was taken for granted."""

    def name_of(self, value: object) -> str | None:
        """The argument that a value is, or has the shape of, where that may be learnt."""
        if isinstance(value, SymbolicArgument):
            name = value.name
            return name if self.values.get(name) is value else None
        if not isinstance(value, TensorSpec) or value.rank is not None:
            return None
        for name, known in self.values.items():
            if isinstance(known, TensorSpec) and known.shape == value.shape:
                return name
        return None

    def learn(self, name: str, demand: OperandRequirement) -> None:
        """Begins again, if that is more than was known."""
        known = self.values[name]
        before = known.shape if isinstance(known, TensorSpec) else None
        shape = with_requirement(before, demand, batched=self.batched)
        if shape is not None and shape != before:
            self.values[name] = TensorSpec.make(shape, known.dtype if isinstance(known, TensorSpec) else None)
            self.chose |= demand.may_lack_batch
            raise RestartAnalysis

    def learn_value(self, name: str, value: Value) -> None:
        """Begins again with a value for an argument."""
        self.values[name] = value
        raise RestartAnalysis


def refine_from_call(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Sees what an operator or a layer wants of its first argument."""
    if isinstance(name, str) and not name[0].isalpha():
        _learn_from_operands(run, args)
        return
    if isinstance(name, str) and (ranks := EXACT_RANKS.get(name.rpartition(".")[2])) is not None:
        _learn_ranks(run, args, ranks)
    first = args[0] if args else kwargs.get("input")
    if (parameter := run.learnable(first)) is None:
        return
    demand = requirement_of(name, args, kwargs)
    if demand is not None:
        run.learn(parameter, demand)
    elif isinstance(first, SymbolicArgument) and takes_tensor(name):
        run.learn(parameter, OperandRequirement())


def _learn_ranks(run: Run, args: tuple[Value, ...], ranks: tuple[int | None, ...]) -> None:
    for value, rank in zip(args, ranks, strict=False):
        if rank is not None:
            refine_rank(run, value, [f"d{axis}" for axis in range(rank)])


def _learn_from_operands(run: Run, operands: tuple[Value, ...]) -> None:
    """What stands beside a tensor in arithmetic is one, or a number, which nothing could be found with."""
    if any(isinstance(one, TensorSpec) for one in operands):
        for one in operands:
            refine_to_tensor(run, one)


def refine_rank(run: Run, value: Value, names: Iterable[str]) -> None:
    """The sizes of a value are unpacked into so many names."""
    if (parameter := run.learnable(value)) is not None:
        run.learn(parameter, OperandRequirement(tuple(names)))


def refine_to_tensor(run: Run, value: Value) -> None:
    """What only a tensor has is read of a value."""
    if isinstance(value, SymbolicArgument) and (parameter := run.learnable(value)) is not None:
        run.learn(parameter, OperandRequirement())


def refine_to_size(run: Run, value: Value) -> None:
    """A layer is built with so many channels."""
    if isinstance(value, SymbolicArgument) and (parameter := run.learnable(value)) is not None:
        run.learn_value(parameter, value.size)


Body = Callable[[Mapping[str, Value]], Value]


def is_symbolic(value: Value) -> bool:
    """Whether an argument may be learnt."""
    return isinstance(value, SymbolicArgument) or (isinstance(value, TensorSpec) and value.shape.rank is None)


def run_with_symbolic_inputs(run: Run, values: Mapping[str, Value], body: Body) -> Value:
    """What `body` gives for these arguments, each as it is demanded."""
    if not values:
        return body(values)
    inputs = SymbolicInputs(batched=True)
    result, learnt = _until_settled(run, inputs, values, body)
    found = learnt.findings
    if inputs.chose and _refused(run, found):
        with unwatched(run):
            _, unbatched = _until_settled(run, SymbolicInputs(batched=False), values, body)
        otherwise, refused = _refused(run, unbatched.findings), _refused(run, found)
        silent = refused - otherwise if otherwise <= refused else set()
        found = {key: one for key, one in found.items() if key not in silent}
    run.take_over(learnt._replace(findings=found))
    return result


def _refused(run: Run, findings: Mapping[FindingKey, Finding]) -> set[FindingKey]:
    """Where something new was found; what the source asks to be told is none of it."""
    return {key for key, one in findings.items() if key not in run.findings and one.diagnostic.code not in REVEALED}


def _until_settled(run: Run, inputs: SymbolicInputs, values: Mapping[str, Value], body: Body) -> tuple[Value, Learning]:
    """The result and the findings of the first attempt that demands no more than it was given."""
    inputs.values = dict(values)

    def attempt() -> Value:
        try:
            return body(inputs.values)
        except RestartAnalysis:
            return None

    for _ in range(_MOST_RUNS):
        tried = dict(inputs.values)
        with learning(run, inputs) as learnt:
            result, changes = run.journal.apart(attempt)
        if inputs.values == tried:
            run.journal.apply(changes)
            return result, learnt
    with learning(run, None) as learnt:
        return body(inputs.values), learnt
