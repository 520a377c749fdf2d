"""Runs functions for an observer alone: the arguments are as their uses under any condition require.

A mask that is used only `if mask is not None` has the shape of that use. That another path may accept other shapes
makes such a run useless for findings, so that nothing is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.argument_binding import defaults_of, parameters_of
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.entry.receivers import first_argument
from shapecheck.static.observing.observer import RunObserver

_SHARE = 0.5
"""Of the steps that the entry point took, how many the further runs may take."""
_LEAST_STEPS = 4_000


def observe_uses(run: Run, build: Callable[[], Value], cls: ClassValue) -> None:
    """Runs the methods of a class on a new object, if more may become known of their arguments."""
    watch = run.watch
    every = [one for one in cls.fields.values() if isinstance(one, FunctionValue) and one.name != "__init__"]
    methods = [] if watch is None else [one for one in every if _is_imprecise(watch, one)]
    if watch is None or not methods:
        return

    def body() -> None:
        made = build()
        for method in methods if isinstance(made, Instance) else ():
            _observe(run, watch, method, first_argument(method, cls, made))

    with watch.filling(), dry_run(run, max(_LEAST_STEPS, int(_SHARE * run.budget.steps))):
        run.journal.apart(body)


def observe_uses_of_function(run: Run, function: FunctionValue) -> None:
    """Runs a function, if more may become known of its arguments."""
    watch = run.watch
    if watch is not None and _is_imprecise(watch, function):
        with watch.filling(), dry_run(run, max(_LEAST_STEPS, int(_SHARE * run.budget.steps))):
            _observe(run, watch, function, ())


def _observe(run: Run, watch: RunObserver, function: FunctionValue, receiver: tuple[Value, ...]) -> None:
    """Runs it with all optional arguments and, as some may exclude others, with arguments that may be None."""
    run.journal.apart(partial(dispatch.analyze_isolated, run, function, receiver, optionals=Optionals.PRESENT))
    if None in defaults_of(function).values() and _is_imprecise(watch, function):
        run.journal.apart(partial(dispatch.analyze_isolated, run, function, receiver, optionals=Optionals.ASSUMED))


def _is_imprecise(watch: RunObserver, function: FunctionValue) -> bool:
    """Whether some use of a parameter was not observed as a tensor of known rank, and is not known to be no tensor."""
    names = {one.name for one in parameters_of(function.node.args)}
    return any(
        isinstance(one, ast.Name) and one.id in names and watch.is_imprecise(one) for one in ast.walk(function.node)
    )
