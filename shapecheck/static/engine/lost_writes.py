"""Writes to an attribute of an unknown object: it may be any object that the running code reaches.

So that attribute of each of them is unknown afterwards: `for m in net.modules(): m.mode = "m"`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.attribute_writes import writes_of
from shapecheck.static.domain.class_facts import base_layer, is_module
from shapecheck.static.domain.objects import FunctionValue, Instance, ModuleContainer, Object
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.domain.structure import children, map_children
from shapecheck.static.domain.unknown_options import UnknownOption
from shapecheck.static.domain.values import Method, Partial
from shapecheck.static.engine.holders import reached_by, reached_from
from shapecheck.static.engine.run import Run

if TYPE_CHECKING:
    from shapecheck.static.engine.effects import LostWrite

_CONTAINING = (tuple, dict, Alternatives)
_CHANGING = (ModuleSpec, TensorSpec, *_CONTAINING)
"""The kinds of values that are, or contain, layers and tensors."""
_DATA = "data"
_SOMETHING = Unknown("a value that was assigned to an unknown object")
_RESIZING = frozenset(("resize_", "resize_as_", "set_"))
_WITHOUT_SHAPE = frozenset("p eps momentum inplace training track_running_stats affine num_batches_tracked".split())
"""The attributes of layers that no shape depends on."""


def havoc_lost_attribute(run: Run, name: str, value: Value) -> None:
    """Makes an attribute that was assigned on an unknown object unknown in all objects that have it."""
    _havoc_in_reach(run, name, value if is_plain(value) else _SOMETHING)


def havoc_lost_tensors(run: Run, method: str) -> None:
    """Makes all tensors of modules unknown if a method gives another shape to an unknown one."""
    if method in _RESIZING:
        _havoc_in_reach(run, _DATA, _SOMETHING)


def _havoc_in_reach(run: Run, name: str, value: Value) -> None:
    """Makes the attribute unknown in all that the active calls reach.

    That callers are among them is not recorded: a memoized call does it again where its result is reused.
    """
    write = name, type(value), value
    if write not in run.effects.lost_writes:
        run.effects.lost_writes.append(write)
    _havoc(run, list(reached_by(reversed(run.frames))), name, value)


def repeat_lost_writes(run: Run, writes: Iterable[LostWrite]) -> None:
    """Does what a memoized call did to the objects that its callers reach."""
    for name, _, value in writes:
        _havoc_in_reach(run, name, value)


def havoc_applied(run: Run, root: Value, function: Value) -> None:
    """Makes the attributes unknown that a function assigns which `root.apply(function)` calls for each submodule."""
    while isinstance(function, (Method, Partial)):
        function = function.function
    for name in _assigned_by(function.node) if isinstance(function, FunctionValue) else ():
        _havoc(run, list(reached_from([root])), name, Unknown("an attribute that a function assigns"))


@cached_on_node
def _assigned_by(function: ast.AST) -> frozenset[str]:
    """The attributes that a function assigns, also with `setattr`; not those whose items it assigns."""
    assigned: set[str] = set()
    for one in walk(function):
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            assigned.add(one.attr)
        elif isinstance(one, ast.Call) and getattr(one.func, "id", "") == "setattr" and len(one.args) > 1:
            name = one.args[1]
            assigned.update((name.value,) if isinstance(name, ast.Constant) and isinstance(name.value, str) else ())
    return frozenset(assigned)


def _havoc(run: Run, objects: Iterable[Object], name: str, value: Value) -> None:
    for one in objects:
        if isinstance(one, Instance):
            for field in _fields_of(one, name):
                if not _is_same(one.fields.get(field), value):
                    run.journal.write(one, field, UnknownOption(f"attribute {field} of an object that is unknown"))
        holding = [(key, held) for key, held in one.fields.items() if isinstance(held, _CHANGING)]
        is_parameter = bool(holding) and _has_parameters(one)
        for key, held in holding:
            changed = _changed(name, value, is_parameter, held)
            if changed is not held:
                run.journal.write(one, key, changed)


def _fields_of(one: Instance, name: str) -> Iterable[str]:
    """The fields of an object that an assignment to this attribute sets: those that the setter of a property writes."""
    for cls in one.cls.mro():
        setter = cls.fields.get(f"{name}.setter")
        if isinstance(setter, FunctionValue):
            return [field for field in one.fields if isinstance(field, str) and field in writes_of(setter.node).written]
        if name in cls.fields:
            return (name,)
    return (name,) if name in one.fields else ()


def _is_same(held: Value, value: Value) -> bool:
    return is_plain(held) and is_plain(value) and type(held) is type(value) and held == value


def _has_parameters(one: Object) -> bool:
    """Whether the tensors among the fields of an object may be parameters or buffers."""
    if isinstance(one, Instance):
        return is_module(one.cls) or base_layer(one.cls) is not None
    return isinstance(one, ModuleContainer)


def _changed(name: str, value: Value, is_parameter: bool, held: Value) -> Value:
    """What a field holds once an attribute of an unknown object was assigned."""
    if isinstance(held, ModuleSpec):
        return Unknown("a layer that may have been changed") if _changes_layer(held, name, value) else held
    if isinstance(held, TensorSpec):
        return Unknown("a tensor that may have been changed") if is_parameter and name == _DATA else held
    if isinstance(held, _CONTAINING) and any(isinstance(one, _CHANGING) for one in children(held)):
        return map_children(held, partial(_changed, name, value, is_parameter))
    return held


def _changes_layer(layer: ModuleSpec, name: str, value: Value) -> bool:
    """Whether the result of a layer may depend on the attribute."""
    if name == "forward":
        return True
    if name == _DATA:
        return any(isinstance(one, TensorSpec) for one in vars(layer).values())
    if name not in vars(layer) or name in _WITHOUT_SHAPE:
        return False
    return not (value is None or _is_same(getattr(layer, name), value))
