"""Compares the shapes that docstrings and comments claim with those of the code: the notes `stale-docstring`.

Only certain contradictions are reported: another rank, or another number where the claim has a number. What depends on
a default is not certain, which the entry point finds out as for any other finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy

from shapecheck.diagnostics import CODES, Diagnostic
from shapecheck.spec import TensorSpec
from shapecheck.static.claims import Claim, FunctionClaims
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import Settled, SymbolicInputs
from shapecheck.static.entry.claim_evidence import bound_tensors, differs
from shapecheck.static.observing.observer import RunObserver

CODE = "stale-docstring"


@contextmanager
def recording(run: Run) -> Iterator[RunObserver]:
    """Records what names are bound to inside, in addition to what an observer records."""
    parent = run.watch
    own = RunObserver() if parent is None else copy(parent)
    own.bound = {}
    with run.scope(watch=own):
        yield own
    if parent is not None:
        for target, tensors in own.bound.items():
            parent.bound.setdefault(target, {}).update(tensors)


def stale_claims(
    function: FunctionValue, claims: FunctionClaims, inputs: SymbolicInputs, settled: Settled, watch: RunObserver
) -> Mapping[FindingKey, Finding]:
    """The claims that an analysis of a function contradicts."""
    found: list[Diagnostic] = []

    def compare(claim: Claim, what: str, *values: Value) -> None:
        tensors = [one for one in values if isinstance(one, TensorSpec) and _is_stale(claim, one, inputs)]
        if values and len(tensors) == len(values):
            found.append(_note(function, claim, f"{what} {tensors[0].shape}"))

    for name, claim in claims.parameters.items():
        if not claim.path:  # otherwise it is reported at the method of the base class
            compare(claim, f"for {name}; the code requires", inputs.values.get(name))
    if claims.result is not None:
        compare(claims.result, "for the result; the code returns", settled.result)
    for claim in claims.assigned:
        compare(claim, f"for {claim.name}; the code computes", *bound_tensors(function, claim, watch))
    return {(one.path, one.line, one.column, CODE): Finding(one, []) for one in found}


def _is_stale(claim: Claim, value: TensorSpec, inputs: SymbolicInputs) -> bool:
    """Whether a tensor certainly contradicts a claim, also without an optional batch axis."""
    if not differs(claim, value):
        return False
    return not (inputs.chose and value.rank is not None and any(one.rank == value.rank - 1 for one in claim.shapes))


def _note(function: FunctionValue, claim: Claim, what: str) -> Diagnostic:
    source = "comment" if claim.is_comment else "docstring"
    claimed = " or ".join(map(str, claim.shapes))
    return Diagnostic(
        path=function.closure.loaded.source.display,
        line=claim.line,
        column=claim.column,
        end_line=claim.end_line,
        end_column=claim.end_column,
        code=CODE,
        severity=CODES[CODE].severity,
        message=f"{source} claims {claimed} {what}",
        notes=(),
    )
