"""Runs functions for an observer alone: the arguments are as their uses under any condition require.

A mask that is used only `if mask is not None` has the shape of that use. That another path may accept other shapes
makes such a run useless for findings, so that nothing is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.argument_binding import defaults_of, parameters_of
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.engine.watching import Watching
from shapecheck.static.entry.isolation import refinable_arguments
from shapecheck.static.entry.receivers import first_argument
from shapecheck.static.observing.observer import RunObserver

_SHARE = 0.5
"""Of the steps that the entry point took, how many the further runs may take."""
_LEAST_STEPS = 4_000


def observe_uses(run: Run, made: Value, cls: ClassValue, most: int | None = None) -> None:
    """Runs the methods of a class on an object as it was built, if more may become known of their arguments.

    `most` is the number of steps that these runs may take; by default, a share of those that the entry point took.
    """
    watch = run.watch
    every = [one for one in cls.fields.values() if isinstance(one, FunctionValue) and one.name != "__init__"]
    methods = [one for one in every if _may_gain(run, one, first_argument(one, cls, None))]
    if watch is None or not methods or not isinstance(made, Instance):
        return

    def body() -> None:
        for method in methods:
            _observe(run, watch, method, first_argument(method, cls, made))

    with watch.filling(Watching.ASSUMED), dry_run(run, steps_of_uses(run) if most is None else most):
        run.journal.apart(body)


def steps_of_uses(run: Run) -> int:
    """How many steps further runs may take for an observer."""
    return max(_LEAST_STEPS, int(_SHARE * run.budget.steps))


def observe_uses_of_function(run: Run, function: FunctionValue) -> None:
    """Runs a function, if more may become known of its arguments."""
    watch = run.watch
    if watch is not None and _may_gain(run, function, ()):
        with watch.filling(Watching.ASSUMED), dry_run(run, steps_of_uses(run)):
            _observe(run, watch, function, ())


def _observe(run: Run, watch: RunObserver, function: FunctionValue, receiver: tuple[Value, ...]) -> None:
    """Runs it with all optional arguments and, as some may exclude others, with arguments that may be None."""
    run.journal.apart(partial(dispatch.analyze_isolated, run, function, receiver, optionals=Optionals.PRESENT))
    if None in defaults_of(function).values() and _may_gain(run, function, receiver):
        run.journal.apart(partial(dispatch.analyze_isolated, run, function, receiver, optionals=Optionals.ASSUMED))


def _may_gain(run: Run, function: FunctionValue, receiver: tuple[Value, ...]) -> bool:
    """Whether a use of a parameter was not seen as a tensor of known rank, and can teach the argument something."""
    watch = run.watch
    if watch is None or not any(_imprecise_uses(watch, function)):
        return False
    if receiver and function.name != "forward":  # which ran on an object that other code had changed
        return True
    names = refinable_arguments(run, function, receiver)
    return any(one.id in names for one in _imprecise_uses(watch, function))


def _imprecise_uses(watch: RunObserver, function: FunctionValue) -> Iterator[ast.Name]:
    names = {one.name for one in parameters_of(function.node.args)}
    for one in walk(function.node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id in names and watch.is_imprecise(one):
            yield one
