"""What an isolated analysis does with the shapes that the docstring and the comments of its function claim."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from shapecheck.project.observed_code import ObservingFact, observe_fact
from shapecheck.static.claims import Claim, FunctionClaims, claims_of
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.size_names import SizeNames
from shapecheck.static.engine.symbolic_inputs import (
    Body,
    Settled,
    SymbolicInputs,
    is_symbolic,
    run_with_symbolic_inputs,
)
from shapecheck.static.entry.claimed_runs import ClaimedRun
from shapecheck.static.entry.stale_claims import recording, stale_claims


def run_isolated(run: Run, function: FunctionValue, bound: Mapping[str, Value], body: Body, *, tensors: bool) -> Value:
    """The result of a function for symbolic arguments, whose sizes have the names of its docstring and comments."""
    values = {name: value for name, value in bound.items() if is_symbolic(value)}
    claims = claims_about(run, function)
    if not claims or run.defaults.is_variant:
        return run_with_symbolic_inputs(run, values, body, tensors=tensors)
    names = SizeNames(claims.parameters)
    claimed = ClaimedRun(run, function, claims, bound, body, tensors)
    if not run.session.checks_claims:
        return run_with_symbolic_inputs(run, values, body, tensors=tensors, names=names, further=claimed.findings)
    with recording(run) as watch:

        def recorded(learnt: Mapping[str, Value]) -> Value:
            watch.bound.clear()
            return body(learnt)

        def further(inputs: SymbolicInputs, settled: Settled) -> Mapping[FindingKey, Finding]:
            stale = stale_claims(function, claims, inputs, settled, watch)
            return {**claimed.findings(inputs, settled), **stale}

        return run_with_symbolic_inputs(run, values, recorded, tensors=tensors, names=names, further=further)


def claims_about(run: Run, function: FunctionValue) -> FunctionClaims:
    """The shapes that the docstring and the comments of a function state.

    A method without any has those of the method of a base class, as `help()` shows its docstring.
    """
    known = run.session.claims
    if function.node not in known:
        with ObservingFact(function.node, "claims"):
            known[function.node] = _read(function)
            if function.owner is not None and not known[function.node].parameters and _lacks_docstring(function):
                known[function.node] = replace(known[function.node], parameters=_inherited(run, function))
    observe_fact(function.node, "claims")
    return known[function.node]


def _read(function: FunctionValue) -> FunctionClaims:
    owner = None if function.owner is None else function.owner.node
    lines = function.closure.loaded.source.lines
    return claims_of(function.node, lines, owner if isinstance(owner, ast.ClassDef) else None)


def _lacks_docstring(function: FunctionValue) -> bool:
    return (
        isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(function.node) is None
    )


def _inherited(run: Run, function: FunctionValue) -> Mapping[str, Claim]:
    """The claims about the parameters of the method of the next base class that has one."""
    owner = function.owner
    for base in [] if owner is None else owner.mro()[1:]:
        other = base.fields.get(function.name)
        if isinstance(other, FunctionValue):
            names = {one.name for one in parameters_of(function.node.args)}
            path = other.closure.loaded.source.display
            found = claims_about(run, other).parameters
            return {name: one._replace(path=one.path or path) for name, one in found.items() if name in names}
    return {}
