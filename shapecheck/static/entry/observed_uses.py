"""Runs functions for an observer alone: the arguments are as their uses under any condition require.

A mask that is used only `if mask is not None` has the shape of that use. That another path may accept other shapes
makes such a run useless for findings, so that nothing is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.entry.receivers import first_argument


def observe_uses(run: Run, build: Callable[[], Value], cls: ClassValue) -> None:
    """Runs the methods of a class on a new object, if more may become known of their arguments."""
    methods = [one for one in cls.fields.values() if isinstance(one, FunctionValue) and _is_imprecise(run, one)]

    def body() -> None:
        made = build()
        for method in methods if isinstance(made, Instance) else ():
            run.journal.apart(
                lambda one=method: dispatch.analyze_isolated(
                    run, one, first_argument(one, cls, made), optionals=Optionals.PRESENT
                )
            )

    if methods and run.watch is not None:
        with run.watch.filling(), dry_run(run):
            run.journal.apart(body)


def observe_uses_of_function(run: Run, function: FunctionValue) -> None:
    """Runs a function, if more may become known of its arguments."""
    if run.watch is not None and _is_imprecise(run, function):
        with run.watch.filling(), dry_run(run):
            run.journal.apart(lambda: dispatch.analyze_isolated(run, function, optionals=Optionals.PRESENT))


def _is_imprecise(run: Run, function: FunctionValue) -> bool:
    """Whether some use of a parameter was not observed as a tensor of known rank, and is not known to be no tensor."""
    if run.watch is None or not has_transparent_decorators(function.node) or function.name == "__init__":
        return False
    names = {one.name for one in parameters_of(function.node.args)}
    return any(
        isinstance(one, ast.Name) and one.id in names and run.watch.is_imprecise(one) for one in ast.walk(function.node)
    )
