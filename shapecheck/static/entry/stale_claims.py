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
    found = []
    for name, claim in claims.parameters.items():
        if claim.path:  # reported at the method of the base class
            continue
        value = inputs.values.get(name)
        if _is_stale(claim, value, inputs):
            found.append(_note(function, claim, f"for {name}; the code requires", value))
    if claims.result is not None and _is_stale(claims.result, settled.result, inputs):
        found.append(_note(function, claims.result, "for the result; the code returns", settled.result))
    for claim in claims.assigned:
        tensors = bound_tensors(function, claim, watch)
        if tensors and all(_is_stale(claim, one, inputs) for one in tensors):
            found.append(_note(function, claim, f"for {claim.name}; the code computes", tensors[0]))
    return {(one.path, one.line, one.column, CODE): Finding(one, []) for one in found}


def _is_stale(claim: Claim, value: Value, inputs: SymbolicInputs) -> bool:
    if not isinstance(value, TensorSpec) or not differs(claim, value):
        return False
    # Without an optional batch axis, the tensor has one dimension less.
    return not (inputs.chose and value.rank is not None and any(one.rank == value.rank - 1 for one in claim.shapes))


def _note(function: FunctionValue, claim: Claim, what: str, value: Value) -> Diagnostic:
    source = "comment" if claim.is_comment else "docstring"
    claimed = " or ".join(map(str, claim.shapes))
    shape = value.shape if isinstance(value, TensorSpec) else value
    return Diagnostic(
        path=function.closure.loaded.source.display,
        line=claim.line,
        column=claim.column,
        end_line=claim.end_line,
        end_column=claim.end_column,
        code=CODE,
        severity=CODES[CODE].severity,
        message=f"{source} claims {claimed} {what} {shape}",
        notes=(),
    )
