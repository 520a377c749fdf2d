"""The entry points that variants run: a constructor with what follows from it, single methods, functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import wary
from shapecheck.static.entry.class_entry import instance_of
from shapecheck.static.entry.later_state import havoc_changes, havoc_placeholders
from shapecheck.static.entry.receivers import first_argument


def run_methods(run: Run, cls: ClassValue, given: Mapping[str, Value], methods: Sequence[FunctionValue]) -> bool:
    """Analyzes methods in isolation, each on a new object; false if there is none."""
    made = instance_of(run, cls, given)
    if not isinstance(made, Instance):
        return False
    for one in methods:
        run.journal.apart(partial(_run_method, run, one, made))
    return True


def _run_method(run: Run, method: FunctionValue, made: Instance) -> None:
    is_forward = method.name == "forward"
    (havoc_placeholders if is_forward else havoc_changes)(run, made, made.cls.closure.loaded)
    with wary(run, enabled=not is_forward):
        dispatch.analyze_isolated(run, method, first_argument(method, made.cls, made))


def run_function(run: Run, function: FunctionValue) -> bool:
    """Analyzes a function in isolation."""
    dispatch.analyze_isolated(run, function)
    return True
