"""What contradicts a rank: a failure that every call reaches, or a shape that another claim states."""

from __future__ import annotations

import ast

from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.claims import Claim, FunctionClaims, assigned_names
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.findings import Finding
from shapecheck.static.observing.observer import RunObserver

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_PARTS = (ast.IfExp, ast.BoolOp, ast.comprehension, ast.Lambda)
_EXITS = (ast.Return, ast.Raise)


def is_certain_failure(function: FunctionValue, finding: Finding) -> bool:
    """Whether every call of a function reaches the place of a finding: a statement of its own, before any exit."""
    one = finding.diagnostic
    if finding.callers or one.path != function.closure.loaded.source.display or isinstance(function.node, ast.Lambda):
        return False
    for statement in function.node.body:
        if statement.lineno <= one.line <= (statement.end_lineno or statement.lineno):
            return isinstance(statement, _SIMPLE) and not any(isinstance(part, _PARTS) for part in walk(statement))
        if any(isinstance(part, _EXITS) for part in walk(statement)):
            return False
    return False


def contradicts(function: FunctionValue, claims: FunctionClaims, result: Value, watch: RunObserver) -> bool:
    """Whether a run contradicts a claim about the result, or about a name that the function assigns."""
    if claims.result is not None and differs(claims.result, result):
        return True
    for claim in claims.assigned:
        tensors = bound_tensors(function, claim, watch)
        if tensors and all(differs(claim, one) for one in tensors):
            return True
    return False


def bound_tensors(function: FunctionValue, claim: Claim, watch: RunObserver) -> list[TensorSpec]:
    """The tensors that the assignment before a comment bound its name to."""
    target = assigned_names(function.node).get(claim.line)
    return [] if target is None else [*watch.bound.get(target, ())]


def differs(claim: Claim, value: Value) -> bool:
    """Whether a value is a tensor of another rank than each claimed shape, or with another fixed size."""
    if not isinstance(value, TensorSpec):
        return False
    return all(_excludes(shape.dims, shape.rank, value) for shape in claim.shapes)


def _excludes(dims: tuple[int | str, ...], rank: int | None, value: TensorSpec) -> bool:
    if rank is None:
        return value.rank is not None and value.rank < len(dims) - 1
    if value.rank is None:
        return value.shape.least_rank > rank
    if value.rank != rank:
        return True
    pairs = zip(dims, value.dims, strict=True)
    return any(isinstance(one, int) and isinstance(size, int) and one != size for one, size in pairs)
