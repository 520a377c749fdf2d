"""Modules that unknown code received: it may have pruned, grown or converted them.

The analysis goes on as if the shapes of their parameters were unchanged, because nearly all such code trains, moves or
prints a module. An assert that contradicts that is evidence of the opposite, so it is not reported. The dtypes of their
parameters are unknown from then on.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops import ModuleSpec
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import DictValue, Instance, ListValue, ModuleContainer, Object
from shapecheck.static.domain.structure import reached
from shapecheck.static.engine.holders import in_reach
from shapecheck.static.engine.replaced_parameters import forget_dtypes
from shapecheck.static.engine.run import Run

_GIVEN = Slot("unknown code received a module")
"""The field of the names of a call that gave a module to unknown code, and of the module."""
_HOLDING = (tuple, dict, ListValue, DictValue)
_DEEPEST = 2


def note_given(run: Run, values: Iterable[Value]) -> None:
    """Notes the modules among the arguments of an unknown function, and forgets the dtypes of their parameters."""
    members = (member for value in values for member in members_of(value))
    given = [one for member in members for one in reached(member, _HOLDING, _DEEPEST) if _is_module(one)]
    if given:
        for one in given:
            _note(run, one)
        forget_dtypes(run, given)


def _is_module(value: Value) -> bool:
    is_object = isinstance(value, Instance) and is_module(value.cls)
    return is_object or isinstance(value, (ModuleSpec, ModuleContainer))


def _note(run: Run, value: Value) -> None:
    held: list[Object] = [run.frame.names]
    if isinstance(value, Object):
        held.append(value)
    for one in held:
        if _GIVEN not in one.fields:
            run.journal.write(one, _GIVEN, True)


def may_have_given(run: Run) -> bool:
    """Whether unknown code received a module that the running code reaches."""
    return any(_GIVEN in one.fields for one in in_reach(run))
