"""Equalities that a rule assumed although nothing but the call itself speaks for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from shapecheck.ops import ModuleSpec
from shapecheck.ops.assumptions import Assumption
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.operators.exchanged_axes import believed, report_exchanged
from shapecheck.static.operators.only_size_one import report_only_one

__all__ = ["believed", "report_doubtful"]

_REPORTS = (report_only_one, report_exchanged)


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
