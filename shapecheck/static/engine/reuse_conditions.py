"""What keeps a memoized result from being reused for equal arguments: metadata, and symbolic inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.captured_names import captured
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.domain.structure import children
from shapecheck.static.engine.symbolic_inputs import is_symbolic

if TYPE_CHECKING:
    from shapecheck.static.engine.effects import CallEffects
    from shapecheck.static.engine.run import Run


def has_metadata(run: Run, value: Value) -> bool:
    """Whether metadata is attached to a value or to something in it."""
    return bool(run.side_table) and _any_within(value, run.side_table.__contains__)


def marks_arguments(effects: CallEffects, given: Value) -> bool:
    """Whether a call attached metadata to a value in its arguments, which its callers know too."""
    return bool(effects.marked) and _any_within(given, lambda one: id(one) in effects.marked)


def has_learnable(run: Run, value: Value) -> bool:
    """Whether a value or something in it is a symbolic argument of the entry point that may be refined here."""
    inputs = run.inputs
    if inputs is None or not any(map(is_symbolic, inputs.values.values())) or not run.may_learn:
        return False
    return _any_within(value, lambda one: inputs.name_of(one) is not None)


def _parts(value: Value) -> Iterable[Value]:
    """The children of a value; what a function captures, because a call may read it."""
    return captured(value).values() if type(value) is FunctionValue else children(value)


def _any_within(value: Value, test: Callable[[Value], bool]) -> bool:
    waiting, seen = [value], {id(value)}
    while waiting:
        one = waiting.pop()
        if test(one):
            return True
        fresh = [part for part in _parts(one) if id(part) not in seen]
        seen.update(map(id, fresh))
        waiting += fresh
    return False
