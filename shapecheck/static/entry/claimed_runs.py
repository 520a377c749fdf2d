"""Runs functions again with the ranks that docstrings and comments claim for arguments of otherwise unknown rank.

A claim may be stale. It is used only if the rank of the argument is otherwise unknown, and what fails then is reported
only if no other rank is possible: for each of them, the same place fails, something fails that every call reaches, or
another claim of the function is contradicted. Sizes are never taken from claims, only their names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import NamedTuple

from shapecheck.diagnostics import Note, Severity
from shapecheck.ops import Unknown
from shapecheck.spec import Shape, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.static.claims import Claim, FunctionClaims
from shapecheck.static.claims.model import MANY
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.array_likes import ArrayMark, marked
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.engine.budget import Budget, OutOfSteps
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.rank_facts import filled
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.size_names import SizeNames
from shapecheck.static.engine.symbolic_inputs import Body, Settled, SymbolicInputs, until_settled
from shapecheck.static.entry.claim_evidence import contradicts, is_certain_failure
from shapecheck.static.observing.observer import RunObserver

_CODES = frozenset(("shape-mismatch", "silent-broadcast", "loss-broadcast"))
"""What may be reported. Other findings about ranks are about the ranks of placeholders, options and branches."""
_OPEN = (Unknown, UnsetArgument)
_RANKS = range(7)
_NOTHING: Mapping[FindingKey, Finding] = {}


class ClaimedRun(NamedTuple):
    """The function, its arguments so far, and what runs its body."""

    run: Run
    function: FunctionValue
    claims: FunctionClaims
    bound: Mapping[str, Value]
    body: Body
    tensors: bool
    """Whether all arguments are known to be tensors."""

    def findings(self, inputs: SymbolicInputs, settled: Settled) -> Mapping[FindingKey, Finding]:
        """What is found with the claimed ranks alone, and no other ranks would avoid; `settled` is without claims."""
        run = self.run
        if run.silence.depth or run.trials or not self.claims.parameters:
            return _NOTHING
        open_values = {**self._optional(), **inputs.values}
        names = SizeNames(self.claims.parameters)
        claimed = self._claimed(open_values, names)
        if run.watch is not None:
            self._observe(inputs.values, claimed, open_values, names)
        if not claimed:
            return _NOTHING
        with self._unobserved():
            found = self._failures({**inputs.values, **claimed})
        known = settled.learned.findings.keys() | run.findings.keys()
        warnings = {
            key: self._as_warning(one, relevant)
            for key, one in found.items()
            if key not in known and (relevant := self._certain(key, inputs.values, claimed, open_values))
        }
        run.session.claimed.update(dict.fromkeys(warnings, self.function.node))
        return warnings

    def settled(self, values: Mapping[str, Value]) -> Mapping[str, Value] | None:
        """Refined arguments with the claimed ranks; None if there are none, or the code contradicts them."""
        claimed = self._claimed(values, SizeNames(self.claims.parameters))
        if not claimed:
            return None
        with self._unobserved():
            before, _ = self._settled(values, batched=True)
            after, inputs = self._settled({**values, **claimed}, batched=True)
        if before is None or after is None or after.learned.findings.keys() - before.learned.findings.keys():
            return None
        return {name: one for name, one in inputs.values.items() if not isinstance(one, Alternatives)}

    def _claimed(self, values: Mapping[str, Value], names: SizeNames) -> dict[str, Value]:
        """The arguments of open rank with their claimed ranks."""
        claimed: dict[str, Value] = {}
        for name, claim in self.claims.parameters.items():
            made = None if claim.rank is None else self._tensor(claim, name, values.get(name), claim.rank, names)
            if made is not None:
                claimed[name] = made
        return claimed

    def _observe(
        self, values: Mapping[str, Value], claimed: Mapping[str, Value], others: Mapping[str, Value], names: SizeNames
    ) -> None:
        """Runs the body for the observer alone, also with shapes that claims state only in part: `(*, n, d)`."""
        rest = VariadicAxes()
        partial = {
            name: made
            for name, claim in self.claims.parameters.items()
            if name not in claimed and (made := _in_part(claim, others.get(name), rest, names)) is not None
        }
        if claimed or partial:
            with _claiming(self.run):
                self._settled({**values, **claimed, **partial}, batched=True)

    def _optional(self) -> dict[str, Value]:
        """The arguments with the default None that may be a tensor instead."""
        spec = self.function.node.args
        positional = [*spec.posonlyargs, *spec.args]
        pairs = [*zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)]
        pairs += [(one, default) for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default]
        return {
            one.arg: self.bound[one.arg]
            for one, default in pairs
            if isinstance(default, ast.Constant) and default.value is None and type(self.bound.get(one.arg)) in _OPEN
        }

    def _tensor(self, claim: Claim, name: str, value: Value, rank: int, names: SizeNames) -> Value | None:
        """The argument with a rank; None if it is not open, or cannot have this rank."""
        shape = claim.shape
        dims = shape.dims if shape is not None and shape.rank == rank else ("?",) * rank
        sizes = tuple(_size(text, axis, names) for axis, text in enumerate(dims))
        if isinstance(value, TensorSpec):
            return _with_rank(value, sizes)
        tensor = TensorSpec.make(Shape(sizes), None)
        if isinstance(value, SymbolicArgument):
            return tensor if self.tensors or claim.says_tensor else marked(tensor, ArrayMark(name))
        return Alternatives((None, tensor)) if type(value) in _OPEN else None

    def _failures(self, values: Mapping[str, Value]) -> dict[FindingKey, Finding]:
        """What fails with these arguments, and also without an optional batch axis of other arguments."""
        settled, inputs = self._settled(values, batched=True)
        if settled is None:
            return {}
        found = {key: one for key, one in settled.learned.findings.items() if key[3] in _CODES}
        if found and inputs.chose:
            again, _ = self._settled(values, batched=False)
            found = {} if again is None else {key: one for key, one in found.items() if key in again.learned.findings}
        return found

    def _settled(self, values: Mapping[str, Value], *, batched: bool) -> tuple[Settled | None, SymbolicInputs]:
        run = self.run
        inputs = SymbolicInputs(batched=batched, tensors=self.tensors)
        budget = Budget(run.budget.most - run.budget.steps)
        settled = None
        with run.scope(called=set(), analyzed=set(run.analyzed), budget=budget), suppress(OutOfSteps, RecursionError):
            settled = until_settled(run, inputs, values, self.body)
        return settled, inputs

    def _certain(
        self, key: FindingKey, values: Mapping[str, Value], claimed: Mapping[str, Value], others: Mapping[str, Value]
    ) -> dict[str, Claim]:
        """The claims that a finding depends on, if it does not occur because one of them is wrong."""
        with self._unobserved():
            relevant = [
                name
                for name in claimed
                if key not in self._failures({**values, **{one: made for one, made in claimed.items() if one != name}})
            ]
            for name in relevant or claimed:
                for rank in _RANKS:
                    claim = self.claims.parameters[name]
                    made = None if rank == claim.rank else self._tensor(claim, name, others[name], rank, SizeNames({}))
                    if made is not None and self._is_possible(key, {**values, **claimed, name: made}):
                        return {}
        return {name: self.claims.parameters[name] for name in relevant or claimed}

    def _is_possible(self, key: FindingKey, values: Mapping[str, Value]) -> bool:
        """Whether the function may work for these arguments, as far as this place and every call are concerned."""
        watch = RunObserver()
        with self.run.scope(watch=watch):
            settled, _ = self._settled(values, batched=True)
        if settled is None or settled.learned.findings.keys() & {key}:
            return settled is None
        found = [one for one in settled.learned.findings.values() if one.diagnostic.code in _CODES]
        if any(is_certain_failure(self.function, one) for one in found):
            return False
        return not contradicts(self.function, self.claims, settled.result, watch)

    @contextmanager
    def _unobserved(self) -> Iterator[None]:
        with self.run.scope(watch=None):
            yield

    def _as_warning(self, finding: Finding, claims: Mapping[str, Claim]) -> Finding:
        """The finding as a warning that quotes the claims that it depends on."""
        one = finding.diagnostic
        path = self.function.closure.loaded.source.display
        notes = [Note(claim.path or path, claim.line, claim.column, _quoted(claim)) for claim in claims.values()]
        severity = Severity.WARNING if one.severity is Severity.ERROR else one.severity
        return Finding(replace(one, severity=severity, notes=(*one.notes, *notes)), finding.callers, finding.conflict)


def _quoted(claim: Claim) -> str:
    source = "comment" if claim.is_comment else "docstring"
    return f"found with the rank that the {source} claims for {claim.name}: {claim.text}"


def _size(text: int | str, axis: int, names: SizeNames) -> Size:
    return names.size(text) if isinstance(text, str) and text.isidentifier() else unknown(f"d{axis}")


def _with_rank(value: TensorSpec, sizes: tuple[Size, ...]) -> TensorSpec | None:
    """A tensor of unknown rank with the rank of these sizes; what is known about its sizes is kept."""
    shape = value.shape
    if shape.run is None or shape.run.name is not None or len(sizes) < shape.least_rank:
        return None
    between = sizes[len(shape.head) : len(sizes) - len(shape.tail)]
    return value.with_shape(filled(shape, Shape(between)))


def _in_part(claim: Claim, value: Value, rest: VariadicAxes, names: SizeNames) -> TensorSpec | None:
    """An argument of the only shape of a claim that leaves the number of some dimensions open."""
    dims = claim.shapes[0].dims
    if len(claim.shapes) > 1 or MANY not in dims or not isinstance(value, SymbolicArgument):
        return None
    place = dims.index(MANY)
    sizes = [_size(text, axis, names) for axis, text in enumerate(dims)]
    return TensorSpec.make(Shape(tuple(sizes[:place]), rest, tuple(sizes[place + 1 :])), None)


@contextmanager
def _claiming(run: Run) -> Iterator[None]:
    """Marks what the observer sees as known by claims."""
    watch = run.watch
    if watch is None:
        yield
        return
    before, watch.is_claiming = watch.is_claiming, True
    try:
        yield
    finally:
        watch.is_claiming = before
