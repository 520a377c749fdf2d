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
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.diagnostics import REVEALED
from shapecheck.spec import Dim, Shape, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import ArrayMark, mark_of, marked, proven
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.budget import OutOfSteps
from shapecheck.static.engine.operand_requirements import OperandRequirement, with_requirement
from shapecheck.static.engine.path_constraints import FACTS, RANKS, KnownFacts, KnownRanks, PathConstraints
from shapecheck.static.engine.rank_facts import filled, part_between
from shapecheck.static.engine.scopes import Learning, learning, unwatched
from shapecheck.static.engine.size_names import SizeNames

if TYPE_CHECKING:
    from shapecheck.static.engine.findings import Finding, FindingKey
    from shapecheck.static.engine.journal import Changes
    from shapecheck.static.engine.run import Run

_MOST_RUNS = 12


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
    eager: bool = False
    """Whether what holds on some path refines an argument, not only what holds on every path: for an observer alone."""
    names: SizeNames | None = None
    """The names that docstrings and comments give to sizes, if they name any."""
    sizes: set[Size] = field(default_factory=set)
    """The unknown sizes of the arguments, and of runs that are known on some path."""
    combined: set[str] = field(default_factory=set)
    """The arguments of which only arithmetic with a tensor shows that they are tensors: they may be numbers."""

    def name_of(self, value: object) -> str | None:
        """The name of the symbolic argument that a value is, or whose run it has; None if there is none."""
        if isinstance(value, SymbolicArgument):
            name = value.name
            return name if self.values.get(name) is value.argument else None
        if not isinstance(value, TensorSpec) or value.shape.run is None:
            return None
        for name, known in self.values.items():
            if isinstance(known, TensorSpec) and known.shape.run == value.shape.run:
                return name
        return None

    def learn(self, name: str, value: Value, requirement: OperandRequirement, *, array_like: bool = False) -> None:
        """Refines an argument by a requirement on a value with its run; raises RestartAnalysis if that changes it."""
        known = self.values[name]
        before = known.shape if isinstance(known, TensorSpec) else None
        shape = with_requirement(
            value.shape if isinstance(value, TensorSpec) else None, requirement, batched=self.batched
        )
        if before is not None and isinstance(value, TensorSpec) and shape is not None and value.shape != before:
            part = part_between(value.shape, shape)
            shape = None if part is None else filled(before, part)
        if self.in_rows and shape is not None and shape.run is not None and len(shape.tail) == 1:
            shape = Shape((*shape.head, unknown("n"), *shape.tail))
        if shape is not None and shape != before:
            made = TensorSpec.make(shape, known.dtype if isinstance(known, TensorSpec) else None)
            is_open = array_like and not self.tensors and (before is None or mark_of(known) is not None)
            self.values[name] = marked(made, ArrayMark(name)) if is_open else made
            self.chose |= requirement.may_lack_batch
            self._name_sizes()
            if not self.eager:
                raise RestartAnalysis

    def learn_run(self, axes: VariadicAxes, part: Shape) -> None:
        """Refines the argument with a run by what the run consists of on some path, if that is enough."""
        for name, known in self.values.items() if self.eager else ():
            if isinstance(known, TensorSpec) and known.shape.run == axes:
                self.values[name] = TensorSpec.make(filled(known.shape, part), known.dtype)

    def learn_tensor(self, argument: SymbolicArgument, tensor: TensorSpec) -> None:
        """Makes an argument the tensor that it is on some path, if that is enough."""
        if self.eager and self.values.get(argument.name) is argument.argument:
            self.values[argument.name] = tensor

    def learn_from_end(self, knowledge: PathConstraints, changes: Changes) -> None:
        """Refines the arguments by what is known about them at the end of an analysis, on every path."""
        ranks, facts = changes.get((knowledge, RANKS)), changes.get((knowledge, FACTS))
        for name, known in self.values.items():
            if isinstance(known, (TensorSpec, SymbolicArgument)):
                exact = ranks.ranks.apply(known) if isinstance(ranks, KnownRanks) else known
                self.values[name] = substitute(exact, facts.facts.apply) if isinstance(facts, KnownFacts) else exact
        self._name_sizes()

    def _name_sizes(self) -> None:
        if self.names is not None:
            self.values = self.names.apply(self.values)

    def prove(self, name: str, *, at_once: bool) -> None:
        """Makes an array-like argument a tensor if it is none yet; the analysis restarts at once or at its end."""
        known = self.values.get(name)
        if isinstance(known, TensorSpec) and mark_of(known) is not None:
            self.values[name] = proven(known)
            if at_once and not self.eager:
                raise RestartAnalysis

    def note_combined(self, value: Value) -> None:
        """Notes that a value is an operand of arithmetic with a tensor."""
        name = self.name_of(value)
        if name is not None:
            self.combined.add(name)

    def note_tensors(self, values: Iterable[Value]) -> None:
        """Notes that values are used as no number is."""
        self.combined.difference_update([name for one in values if (name := self.name_of(one)) is not None])

    def learn_value(self, name: str, value: Value) -> None:
        """Raises RestartAnalysis with a value for an argument, unless it is one that only some path requires."""
        if self.eager:
            return
        self.values[name] = value
        raise RestartAnalysis


Body = Callable[[Mapping[str, Value]], Value]


def is_symbolic(value: Value) -> bool:
    """Whether an argument may be refined."""
    return isinstance(value, SymbolicArgument) or (isinstance(value, TensorSpec) and value.shape.rank is None)


class Settled(NamedTuple):
    """The first analysis that does not refine its inputs: its result, what it found, and the changes, undone."""

    result: Value
    learned: Learning
    changes: Changes


Further = Callable[[SymbolicInputs, Settled], Mapping["FindingKey", "Finding"]]


def run_with_symbolic_inputs(
    run: Run,
    values: Mapping[str, Value],
    body: Body,
    *,
    tensors: bool = False,
    eager: bool = False,
    names: SizeNames | None = None,
    further: Further | None = None,
) -> Value:
    """The result of `body` for these arguments, refined until no requirement changes them.

    tensors: whether an argument that is used like an array is known to be a tensor.
    eager: whether requirements on some path refine it; then only an observer may see what is found.
    names: the names of sizes.
    further: called after the analysis, and before its changes; it returns more findings.
    """
    if not values and further is None:
        return body(values)
    if eager:
        return until_settled(run, SymbolicInputs(batched=True, tensors=tensors, eager=True), values, body).result
    inputs = SymbolicInputs(batched=True, tensors=tensors, in_rows=run.defaults.in_rows, names=names)
    settled = until_settled(run, inputs, values, body)
    more = {} if further is None else further(inputs, settled)
    found = settled.learned.findings
    if inputs.chose and _refused(run, found):
        with unwatched(run):
            unbatched = until_settled(run, SymbolicInputs(batched=False, tensors=tensors), values, body)
        run.journal.apply(settled.changes)
        run.journal.apply(unbatched.changes)
        otherwise, refused = _refused(run, unbatched.learned.findings), _refused(run, found)
        silent = refused - otherwise if otherwise <= refused else set()
        found = {key: one for key, one in found.items() if key not in silent}
    else:
        run.journal.apply(settled.changes)
    run.take_over(settled.learned._replace(findings={**more, **found}))
    return settled.result


def settled_inputs(run: Run, values: Mapping[str, Value], body: Body, *, tensors: bool) -> Mapping[str, Value]:
    """The arguments refined until no requirement changes them, without the effects and findings of the analysis."""
    inputs = SymbolicInputs(batched=True, tensors=tensors)
    until_settled(run, inputs, values, body)
    return inputs.values


def _refused(run: Run, findings: Mapping[FindingKey, Finding]) -> set[FindingKey]:
    """The keys of new findings, without output that the source requests."""
    return {key for key, one in findings.items() if key not in run.findings and one.diagnostic.code not in REVEALED}


def until_settled(run: Run, inputs: SymbolicInputs, values: Mapping[str, Value], body: Body) -> Settled:
    """The first analysis that does not refine its inputs; its changes are undone.

    What has been found is kept if it is cut short, unless an input may lack the batch axis that it has here.
    """
    inputs.values = dict(values)

    def attempt() -> Value:
        try:
            return body(inputs.values)
        except RestartAnalysis:
            return None

    for _ in range(_MOST_RUNS):
        tried = dict(inputs.values)
        shapes = (one.shape for one in tried.values() if isinstance(one, TensorSpec))
        inputs.sizes = {size for one in shapes for size in (*one.head, *one.tail) if isinstance(size, Dim)}
        try:
            with learning(run, inputs) as analysis:
                result, changes = run.journal.apart(attempt)
        except (OutOfSteps, RecursionError):
            if not inputs.chose:
                run.take_over(analysis)
            raise
        inputs.learn_from_end(run.knowledge, changes)
        if inputs.values == tried:
            return Settled(result, analysis, changes)
    with learning(run, None) as analysis:
        result, changes = run.journal.apart(lambda: body(inputs.values))
        return Settled(result, analysis, changes)
