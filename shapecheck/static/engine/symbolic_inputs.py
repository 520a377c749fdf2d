"""Symbolic inputs: the arguments of code that is analyzed in isolation, refined by what the code requires of them.

The analysis runs until a symbolic argument reaches, on an unconditional path, an operator or a layer with requirements
that it does not meet yet; then it restarts with an argument that meets them. The sizes of such an argument are unknown
sizes with names, which prove nothing.

If torch accepts an input with and without a batch axis, the analysis runs with it, and its findings are reported only
if the analysis without it has findings as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.diagnostics import REVEALED
from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Shape, TensorSpec, unknown
from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.domain.array_likes import (
    ArrayMark,
    is_shared_call,
    mark_of,
    marked,
    operands_of,
    proven,
    proves_tensors,
)
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
    """An argument about which nothing is known, not even that it is a tensor."""

    __slots__ = ("name", "size")
    key_slots = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__(f"argument {name}")
        self.name = name
        self.size = unknown(name)
        """The size that replaces it if a layer is built with it."""


class RestartAnalysis(Exception):
    """Raised when a symbolic argument is refined: the analysis restarts."""


@dataclass
class SymbolicInputs:
    """The symbolic arguments of an entry point."""

    batched: bool
    """Whether inputs with an optional batch axis have it."""
    values: dict[str, Value] = field(default_factory=dict)
    tensors: bool = False
    """Whether all arguments are known to be tensors, if they are arrays at all."""
    in_rows: bool = False
    """Whether inputs of which only the last size is known are 2-D."""
    chose: bool = False
    """Whether an input with an optional batch axis was refined."""

    def name_of(self, value: object) -> str | None:
        """The name of the symbolic argument that a value is, or whose shape it has; None if there is none."""
        if isinstance(value, SymbolicArgument):
            name = value.name
            return name if self.values.get(name) is value else None
        if not isinstance(value, TensorSpec) or value.rank is not None:
            return None
        for name, known in self.values.items():
            if isinstance(known, TensorSpec) and known.shape == value.shape:
                return name
        return None

    def learn(self, name: str, requirement: OperandRequirement, *, array_like: bool = False) -> None:
        """Refines an argument by a requirement; raises RestartAnalysis if that changes it."""
        known = self.values[name]
        before = known.shape if isinstance(known, TensorSpec) else None
        shape = with_requirement(before, requirement, batched=self.batched)
        if self.in_rows and shape is not None and shape.run is not None and len(shape.tail) == 1:
            shape = Shape((*shape.head, unknown("n"), *shape.tail))
        if shape is not None and shape != before:
            made = TensorSpec.make(shape, known.dtype if isinstance(known, TensorSpec) else None)
            is_open = array_like and not self.tensors and (before is None or mark_of(known) is not None)
            self.values[name] = marked(made, ArrayMark(name)) if is_open else made
            self.chose |= requirement.may_lack_batch
            raise RestartAnalysis

    def prove(self, name: str, *, at_once: bool) -> None:
        """Makes an array-like argument a tensor if it is none yet; the analysis restarts at once or at its end."""
        known = self.values.get(name)
        if isinstance(known, TensorSpec) and mark_of(known) is not None:
            self.values[name] = proven(known)
            if at_once:
                raise RestartAnalysis

    def learn_value(self, name: str, value: Value) -> None:
        """Raises RestartAnalysis with a value for an argument."""
        self.values[name] = value
        raise RestartAnalysis


def refine_from_call(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Refines symbolic arguments by the requirements of an operator or a layer."""
    _prove_tensors(run, name, args, kwargs)
    if isinstance(name, str) and not name[0].isalpha():
        _learn_from_operands(run, args)
        return
    if any(mark_of(one) is not None for one in args) and is_shared_call(name, args):
        return
    if isinstance(name, str) and (ranks := EXACT_RANKS.get(name.rpartition(".")[2])) is not None:
        _learn_ranks(run, args, ranks)
    first = args[0] if args else kwargs.get("input")
    if (parameter := run.learnable(first)) is None:
        return
    requirement = requirement_of(name, args, kwargs)
    if requirement is not None:
        run.learn(parameter, requirement)
    elif isinstance(first, SymbolicArgument) and takes_tensor(name):
        run.learn(parameter, OperandRequirement(), array_like=not proves_tensors(name, args))


def _prove_tensors(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Makes arguments tensors that torch receives as tensors, or that are combined with one."""
    marks = [mark for one in operands_of(args, kwargs) if (mark := mark_of(one)) is not None]
    if run.inputs is None or not marks or not proves_tensors(name, args):
        return
    run.effects.reads_inputs = True
    for one in marks:
        if one.argument is not None:
            run.inputs.prove(one.argument, at_once=run.may_learn)


def _learn_ranks(run: Run, args: tuple[Value, ...], ranks: tuple[int | None, ...]) -> None:
    for value, rank in zip(args, ranks, strict=False):
        if rank is not None:
            refine_rank(run, value, [f"d{axis}" for axis in range(rank)])


def _learn_from_operands(run: Run, operands: tuple[Value, ...]) -> None:
    """Refines the other operand of a tensor in arithmetic to a tensor: a number would never be refused."""
    if any(isinstance(one, TensorSpec) for one in operands):
        for one in operands:
            refine_to_tensor(run, one)


def refine_rank(run: Run, value: Value, names: Iterable[str], *, array_like: bool = False) -> None:
    """Refines a value whose sizes are unpacked into these names."""
    if (parameter := run.learnable(value)) is not None:
        run.learn(parameter, OperandRequirement(tuple(names)), array_like=array_like)


def refine_to_tensor(run: Run, value: Value, *, array_like: bool = False) -> None:
    """Refines a value that is used as a tensor, or as a tensor or an array."""
    if isinstance(value, SymbolicArgument) and (parameter := run.learnable(value)) is not None:
        run.learn(parameter, OperandRequirement(), array_like=array_like)


def refine_to_size(run: Run, value: Value) -> None:
    """Refines a value that is used as the size of a layer."""
    if isinstance(value, SymbolicArgument) and (parameter := run.learnable(value)) is not None:
        run.learn_value(parameter, value.size)


Body = Callable[[Mapping[str, Value]], Value]


def is_symbolic(value: Value) -> bool:
    """Whether an argument may be refined."""
    return isinstance(value, SymbolicArgument) or (isinstance(value, TensorSpec) and value.shape.rank is None)


def run_with_symbolic_inputs(run: Run, values: Mapping[str, Value], body: Body, *, tensors: bool = False) -> Value:
    """The result of `body` for these arguments, refined until no requirement changes them.

    tensors: whether an argument that is used like an array is known to be a tensor.
    """
    if not values:
        return body(values)
    inputs = SymbolicInputs(batched=True, tensors=tensors, in_rows=run.defaults.in_rows)
    result, analysis = _until_settled(run, inputs, values, body)
    found = analysis.findings
    if inputs.chose and _refused(run, found):
        with unwatched(run):
            _, unbatched = _until_settled(run, SymbolicInputs(batched=False, tensors=tensors), values, body)
        otherwise, refused = _refused(run, unbatched.findings), _refused(run, found)
        silent = refused - otherwise if otherwise <= refused else set()
        found = {key: one for key, one in found.items() if key not in silent}
    run.take_over(analysis._replace(findings=found))
    return result


def _refused(run: Run, findings: Mapping[FindingKey, Finding]) -> set[FindingKey]:
    """The keys of new findings, without output that the source requests."""
    return {key for key, one in findings.items() if key not in run.findings and one.diagnostic.code not in REVEALED}


def _until_settled(run: Run, inputs: SymbolicInputs, values: Mapping[str, Value], body: Body) -> tuple[Value, Learning]:
    """The result and the findings of the first analysis that does not refine its inputs."""
    inputs.values = dict(values)

    def attempt() -> Value:
        try:
            return body(inputs.values)
        except RestartAnalysis:
            return None

    for _ in range(_MOST_RUNS):
        tried = dict(inputs.values)
        with learning(run, inputs) as analysis:
            result, changes = run.journal.apart(attempt)
        if inputs.values == tried:
            run.journal.apply(changes)
            return result, analysis
    with learning(run, None) as analysis:
        return body(inputs.values), analysis
