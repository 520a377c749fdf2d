"""Assignment targets: a name, a tuple to unpack, an attribute, a subscript."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import without_none
from shapecheck.static.domain.class_facts import LAYER
from shapecheck.static.domain.objects import (
    ESCAPED,
    ITEMS,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    Object,
)
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.summary_collections import is_summary, state_with
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import ExternalReference, Method, SliceWindow
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.escape import havoc_stored, havoc_written
from shapecheck.static.engine.holders import havoc_holders
from shapecheck.static.engine.iteration import items_in, items_of, some_item
from shapecheck.static.engine.lost_writes import havoc_lost_attribute
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.children import is_module_value
from shapecheck.static.models.nn.parameters import with_parameter
from shapecheck.static.models.python.descriptors import lose_collections, stores_elsewhere, stores_other_value
from shapecheck.static.models.python.dict_subclasses import write
from shapecheck.static.models.python.dicts import is_key, put
from shapecheck.static.models.python.namespaces import OWNER, lose_items, replace_attributes
from shapecheck.static.models.python.special_methods import call_special, special
from shapecheck.static.models.python.summary_collections import put_any
from shapecheck.static.narrowing.references import read
from shapecheck.static.operators.in_place_reshaping import is_resized
from shapecheck.static.operators.open_size_lists import change_sizes
from shapecheck.static.statements.unpacking import fits_count


def assign(run: Run, target: ast.expr, value: Value) -> None:
    """Binds a target to a value."""
    if run.watch is not None:
        run.watch.bind(target, value)
    if isinstance(target, ast.Name):
        frame = run.frame
        names = frame.outer.get(target.id, frame.scope) if frame.outer and frame.scope is frame.names else frame.scope
        run.journal.write(names, target.id, value)
        run.origins.wrote(names, target.id, target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(run, target.elts, value if fits_count(run, target, value) else Unknown("wrong number of items"))
    elif isinstance(target, ast.Attribute):
        receiver = evaluate(run, target.value)
        map_alternatives(run, partial(_set_attribute, run, target, value), without_none(receiver))
    elif isinstance(target, ast.Subscript):
        _set_item(run, target, value)
    elif isinstance(target, ast.Starred):
        assign(run, target.value, Unknown("starred items"))


def _set_attribute(run: Run, target: ast.Attribute, value: Value, receiver: Value) -> None:
    changed = with_parameter(receiver, target.attr, value)
    if changed is not None and isinstance(target.value, (ast.Name, ast.Attribute)):
        assign(run, target.value, changed)
        if isinstance(receiver, TensorSpec) and is_resized(receiver, changed):
            havoc_holders(run, receiver)
    if changed is not None and isinstance(receiver, ModuleSpec):
        if isinstance(target.value, ast.Subscript):
            assign(run, target.value, changed)
        havoc_holders(run, receiver)
    if isinstance(receiver, Unknown) and isinstance(target.value, ast.Subscript):
        _lose_block(run, read(run, target.value.value))
    set_attribute(run, target, target.attr, value, receiver)


def _lose_block(run: Run, block: Value) -> None:
    """Makes a block of a library unknown, one of whose layers changes: `block[0].stride = 2`."""
    if isinstance(block, ModuleSpec):
        havoc_holders(run, block)


def _set_by_name(run: Run, node: ast.AST, name: str, value: Value, receiver: Value) -> None:
    """Sets an attribute that a call names, `setattr(layer, "weight", value)`, as an assignment does."""
    if isinstance(receiver, ModuleSpec) and isinstance(vars(receiver).get(name), TensorSpec):
        changed = with_parameter(receiver, name, value)
        written = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if changed is not None and isinstance(written, (ast.Name, ast.Attribute)):
            assign(run, written, changed)
        havoc_holders(run, receiver)
    else:
        set_attribute(run, node, name, value, receiver)


def set_attribute(run: Run, node: ast.AST, name: str, value: Value, receiver: Value) -> None:
    """Sets an attribute of an object."""
    setter = _setter(receiver, name, value)
    if setter is not None:
        dispatch.call(run, node, Method(setter, receiver), (value,), {})
    elif isinstance(receiver, Object) and not write(run, node, receiver, name, value):
        if isinstance(receiver, Instance) and stores_other_value(receiver, name):
            value = Unknown("a value that a descriptor or __setattr__ stores")
        if isinstance(receiver, Instance) and stores_elsewhere(receiver):
            lose_collections(run, receiver)
        if isinstance(receiver, Instance) and name == "__dict__":
            replace_attributes(run, receiver)
        else:
            _set(run, receiver, name, value)
        if isinstance(receiver, Instance) and ESCAPED in receiver.fields:
            havoc_written(run, receiver, name)
        run.origins.wrote(receiver, name, node, value, run.frame.scope)
    elif isinstance(receiver, ModuleSpec) and name == "forward":
        havoc_holders(run, receiver)
    elif isinstance(receiver, ExternalReference):
        havoc_stored(run, (value,))
    elif isinstance(receiver, Unknown):
        _set_on_unknown(run, name, value, receiver)


def _set_on_unknown(run: Run, name: str, value: Value, receiver: Unknown) -> None:
    if isinstance(receiver, SymbolicArgument):
        if receiver.attributes.get(name) is not None:  # what was read before is not what is read from now on
            run.mark_uncacheable()
        receiver.attributes[name] = None
    havoc_stored(run, (value,))
    havoc_lost_attribute(run, name, value)


def _setter(receiver: Value, name: str, value: Value) -> FunctionValue | None:
    """The setter of a property; None for any other attribute, and for a submodule, which nn.Module stores itself."""
    if not isinstance(receiver, Instance) or isinstance(value, (ModuleSpec, ModuleContainer, Instance)):
        return None
    holder = next((one for one in receiver.cls.mro() if name in one.fields), None)
    setter = None if holder is None else holder.fields.get(f"{name}.setter")
    return setter if isinstance(setter, FunctionValue) else None


def _set(run: Run, receiver: Object, name: str, value: Value) -> None:
    if isinstance(receiver, ModuleContainer) and not _is_apart(receiver, value):
        run.journal.write(receiver, ITEMS, {**receiver.items, name: value})
    elif not isinstance(receiver, (ListValue, DictValue)):
        run.journal.write(receiver, name, value)
        layer = receiver.fields.get(LAYER)
        if isinstance(layer, ModuleContainer) and isinstance(value, (Instance, ModuleContainer, ModuleSpec)):
            _register(run, layer, name, value)
        elif (changed := with_parameter(layer, name, value)) is not None:
            run.journal.write(receiver, LAYER, changed)


def _is_apart(container: ModuleContainer, value: Value) -> bool:
    """Whether the attribute of a container is none of its layers or parameters."""
    return not container.kind.startswith("Parameter") and is_module_value(value) is False


def _register(run: Run, container: ModuleContainer, name: str, value: Value) -> None:
    """Adds the attribute of a container to its layers if it is a module."""
    verdict = is_module_value(value)
    if verdict:
        run.journal.write(container, ITEMS, {**container.items, name: value})
    elif verdict is None:
        run.journal.lose(container)


def _set_item(run: Run, target: ast.Subscript, value: Value) -> None:
    for one in run.frame.loops:
        if one.replacing is target:
            one.replaced.append(value)
    receiver, key = without_none(evaluate(run, target.value)), evaluate(run, target.slice)
    map_alternatives(run, lambda one: _put_item(run, target, one, key, value), receiver)


def _put_item(run: Run, target: ast.Subscript, receiver: Value, key: Value, value: Value) -> None:
    if isinstance(receiver, TensorSpec):
        map_alternatives(
            run, lambda *given: dispatch.torch_call(run, target, "__setitem__", given, {}), receiver, key, value
        )
    elif isinstance(receiver, Instance):
        _put_into_object(run, target, receiver, key, value)
    elif isinstance(receiver, DictValue):
        _put_into_dict(run, receiver, key, value)
    elif isinstance(receiver, ListValue) and is_summary(receiver):
        put_any(run, receiver, key, value)
    elif isinstance(receiver, ListValue) and not receiver.lost:
        _put_into_list(run, receiver, key, value)
    elif isinstance(receiver, ModuleContainer):
        _put_into_container(run, receiver, key, value)
    elif isinstance(receiver, ModuleSpec):
        _lose_block(run, receiver)
    elif isinstance(receiver, Unknown):
        havoc_stored(run, (value,))
        change_sizes(run, target.value, "__setitem__", (key, value))


def _put_into_dict(run: Run, receiver: DictValue, key: Value, value: Value) -> None:
    if is_key(key) and not is_summary(receiver):
        put(run, receiver, {key: value})
    elif OWNER in receiver.fields or (receiver.lost and not is_summary(receiver)):
        lose_items(run, receiver)
    else:
        put_any(run, receiver, key, value)


def _put_into_container(run: Run, receiver: ModuleContainer, key: Value, value: Value) -> None:
    name = _name_in(receiver, key)
    if is_summary(receiver):
        _add_layer(run, receiver, value)
    elif name is not None:
        run.journal.write(receiver, ITEMS, {**receiver.items, name: value})
    else:
        run.journal.lose(receiver)


def _add_layer(run: Run, receiver: ModuleContainer, layer: Value) -> None:
    """Adds a layer at an unknown position of a ModuleList of unknown length."""
    for field, state in state_with(receiver.fields, layer).items():
        run.journal.write(receiver, field, state)


def _name_in(container: ModuleContainer, key: Value) -> str | None:
    """The name of the layer that a subscript of a container replaces or adds; None if unknown."""
    names = list(container.items)
    if type(key) is int:
        return names[key] if -len(names) <= key < len(names) else None
    return key if isinstance(key, str) else None


def _put_into_object(run: Run, target: ast.Subscript, receiver: Instance, key: Value, value: Value) -> None:
    held = items_in(receiver) or receiver.fields.get(LAYER)
    if special(receiver, "__setitem__") is not None:
        call_special(run, target, receiver, "__setitem__", key, value)
    elif held is not None:
        _put_item(run, target, held, key, value)


def _put_into_list(run: Run, receiver: ListValue, key: Value, value: Value) -> None:
    items = list(receiver.items)
    if type(key) is int and -len(items) <= key < len(items):
        items[key] = value
    elif isinstance(key, (slice, SliceWindow)):
        parts = items_of(value)
        if parts is None or not isinstance(key, slice) or not _is_known(key):
            run.journal.lose(receiver)  # it may be longer or shorter
            return
        items[key] = parts
    else:
        items = [Unknown("an item that may have been replaced")] * len(items)
    run.journal.write(receiver, ITEMS, tuple(items))


def _is_known(key: slice) -> bool:
    """Whether the bounds of a slice are known, and it has no step: any number of items may take its place."""
    return key.step is None and all(one is None or type(one) is int for one in (key.start, key.stop))


def _unpack(run: Run, targets: list[ast.expr], value: Value) -> None:
    starred = next((index for index, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    items = items_of(value)
    if items is not None and starred is None and len(items) == len(targets):
        for one, item in zip(targets, items, strict=True):
            assign(run, one, item)
        return
    if items is not None and starred is not None and len(items) >= len(targets) - 1:
        after = len(targets) - starred - 1
        middle = items[starred : len(items) - after]
        parts = [*items[:starred], ListValue(tuple(middle)), *items[len(items) - after :]]
        for one, item in zip(targets, parts, strict=True):
            assign(run, one.value if isinstance(one, ast.Starred) else one, item)
        return
    part = _starred_sizes(value, starred, len(targets))
    for one in targets:
        if isinstance(one, ast.Starred):
            assign(run, one.value, part)
        else:
            assign(run, one, some_item(value))


def _starred_sizes(value: Value, before: int | None, count: int) -> Value:
    """What a starred name receives of the shape of a tensor of unknown rank; unknown items of anything else."""
    if before is None or not isinstance(value, OpenSizes):
        return Unknown("starred items")
    return value.part(slice(before, before + 1 - count or None))


dispatch.assign = assign
dispatch.set_attribute = _set_by_name
