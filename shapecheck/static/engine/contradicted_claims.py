"""Calls that contradict the rank that a docstring or a comment claims, of functions whose findings depend on it."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from shapecheck.spec import TensorSpec

if TYPE_CHECKING:
    from shapecheck.static.domain.abstract_values import Value
    from shapecheck.static.engine.run import Run

_MARK = "contradicts a claim"


def note_call(run: Run, function: ast.AST, bound: Mapping[str, Value]) -> None:
    """Notes a call with an argument of another rank than a claim."""
    for name, claim in run.session.claims[function].parameters.items():
        value = bound.get(name)
        if isinstance(value, TensorSpec) and None not in (value.rank, claim.rank) and value.rank != claim.rank:
            run.called.add((_MARK, function))


def is_contradicted(function: ast.AST, called: set[Hashable]) -> bool:
    """Whether a call was noted for the function."""
    return (_MARK, function) in called
