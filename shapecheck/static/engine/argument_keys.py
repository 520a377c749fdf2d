"""Values that equal others and are not the same to a run: those with metadata, and inputs that are being learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from shapecheck.ops import ModuleSpec
from shapecheck.static.domain.alternatives import Alternatives, MaybeAbsent
from shapecheck.static.domain.values import ClassValue, Method, Namespace, Object, Partial, Value
from shapecheck.static.engine.symbolic_inputs import is_symbolic

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run


def has_metadata(run: Run, value: Value) -> bool:
    """Whether metadata is attached to a value or to something in it."""
    return bool(run.side_table) and _any_within(value, run.side_table.__contains__)


def has_learnable(run: Run, value: Value) -> bool:
    """Whether a value or something in it is an argument of the entry point of which more may be learnt."""
    inputs = run.inputs
    if inputs is None or not any(map(is_symbolic, inputs.values.values())):
        return False
    return _any_within(value, lambda one: inputs.name_of(one) is not None)


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


def _parts(value: Value) -> Iterable[Value]:
    if type(value) is tuple:
        return value
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, ModuleSpec):
        return vars(value).values()
    if isinstance(value, Object):
        return () if isinstance(value, (ClassValue, Namespace)) else value.fields.values()
    if isinstance(value, Alternatives):
        return value.members
    if isinstance(value, MaybeAbsent):
        return (value.value,)
    if isinstance(value, Method):
        return (value.receiver,)
    return (value.function, value.args, value.kwargs) if isinstance(value, Partial) else ()
