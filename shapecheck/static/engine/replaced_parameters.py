"""Parameters that code may replace which is not followed: a function that is unknown, or `setattr` by an unknown name.

Layers are values without identity, so each variable, field and item that holds a changed one gets the new value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import base_layer, is_module
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import Instance, ModuleContainer, Object
from shapecheck.static.domain.structure import children, map_children, reached
from shapecheck.static.engine.holders import reached_by, reached_from
from shapecheck.static.engine.run import Run

_PARTS = (ModuleSpec, list, tuple)
"""The kinds of values in which a layer holds its parameters."""
_DEEPEST = 4
_CONTAINING = (tuple, dict)

_Changed = dict[int, tuple[ModuleSpec, Value]]
"""By its id, a layer, which lives as long as the entry, and what takes its place."""


def forget_dtypes(run: Run, modules: Iterable[Value]) -> None:
    """Makes the dtype of the parameters of modules unknown: code may have converted them, or put others in their place.

    Their shapes stay, because nearly all such code trains, moves or prints a module.
    """
    changed: _Changed = {}
    for module in modules:
        for layer in _layers_in(module):
            if any(map(_has_dtype, reached(layer, _PARTS, _DEEPEST))):
                changed[id(layer)] = layer, _converted(run, layer)
        for one in reached_from([module]):
            if isinstance(one, ModuleContainer) or (isinstance(one, Instance) and _is_module(one)):
                _change(run, one, _without_dtype)
    _replace(run, changed)


def replace_parameters(run: Run, modules: Iterable[Value], may_be: Callable[[str], bool], value: Value) -> None:
    """Does to the layers of modules what the assignment of a value to one of their parameters may do.

    Only the dtype becomes unknown of a layer if the parameters that may be meant have the shape of the value.
    """
    changed: _Changed = {}
    for layer in (layer for module in modules for layer in _layers_in(module)):
        meant = [held for name, held in vars(layer).items() if isinstance(held, TensorSpec) and may_be(name)]
        if meant:
            is_kept = isinstance(value, TensorSpec) and all(held.shape == value.shape for held in meant)
            changed[id(layer)] = layer, _converted(run, layer) if is_kept else Unknown("a changed layer")
    _replace(run, changed)


def _layers_in(module: Value) -> Iterator[ModuleSpec]:
    """The layers that a module is or contains."""
    if isinstance(module, ModuleSpec):
        yield module
    for one in reached_from([module]):
        for held in one.fields.values():
            yield from _layers_among(held)


def _layers_among(held: Value) -> Iterator[ModuleSpec]:
    if isinstance(held, ModuleSpec):
        yield held
    elif isinstance(held, (*_CONTAINING, Alternatives)):
        for one in children(held):
            yield from _layers_among(one)


def _is_module(one: Instance) -> bool:
    return is_module(one.cls) or base_layer(one.cls) is not None


def _has_dtype(value: Value) -> bool:
    return isinstance(value, TensorSpec) and value.dtype is not None and value.dtype.is_floating


def _converted(run: Run, layer: ModuleSpec) -> ModuleSpec:
    """The layer with parameters of unknown dtype."""
    made = layer.cast(None)
    run.origins.converted(layer, made)
    return made


def _without_dtype(held: Value) -> Value:
    """A parameter of unknown dtype."""
    if isinstance(held, TensorSpec) and _has_dtype(held):
        return held.with_dtype(None)
    return map_children(held, _without_dtype) if isinstance(held, _CONTAINING) else held


def _replace(run: Run, changed: _Changed) -> None:
    """Puts other values in the place of layers in all that the active calls reach.

    That callers are among them is not recorded: a call that changes what is older than it is not memoized.
    """
    if changed:
        for one in list(reached_by(reversed(run.frames))):
            _change(run, one, partial(_replaced, changed))


def _replaced(changed: _Changed, held: Value) -> Value:
    if isinstance(held, ModuleSpec):
        return changed.get(id(held), (held, held))[1]
    if isinstance(held, Alternatives) and any(id(one) in changed for one in held.members):
        return reduce(join, (_replaced(changed, one) for one in held.members))
    return map_children(held, partial(_replaced, changed)) if isinstance(held, _CONTAINING) else held


def _change(run: Run, one: Object, change: Callable[[Value], Value]) -> None:
    """Applies a function to each field of an object."""
    for name, held in list(one.fields.items()):
        after = change(held)
        if after is not held:
            run.journal.write(one, name, after)
