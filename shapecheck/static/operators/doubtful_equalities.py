"""Equalities that a rule assumed although nothing but the call itself speaks for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from shapecheck.ops import ModuleSpec
from shapecheck.ops.assumptions import Assumption, Assumptions
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.operators.exchanged_axes import report_exchanged, without_exchanged
from shapecheck.static.operators.only_size_one import report_only_one
from shapecheck.static.operators.recurrent_states import report_state, without_state

_REPORTS = (report_only_one, report_exchanged, report_state)


def report_doubtful(
    run: Run,
    node: ast.AST,
    name: str | ModuleSpec,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
    assumed: Iterable[Assumption],
) -> None:
    """Reports those of the equalities that hardly hold."""
    equalities = tuple(assumed)
    for report in _REPORTS:
        report(run, node, name, args, kwargs, equalities)


def believed(
    run: Run, name: str | ModuleSpec, args: Sequence[object], kwargs: Mapping[str, object], assumed: Assumptions
) -> Assumptions:
    """The equalities without those that are a mistake, not a fact."""
    return without_state(name, args, without_exchanged(run, name, args, kwargs, assumed))
