"""Methods of nn.Module and of its containers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import LAYER, REGISTERING, UNNAMED
from shapecheck.static.domain.objects import ITEMS, SUMMARY, Instance, ListValue, ModuleContainer
from shapecheck.static.domain.summary_collections import element_in_state, is_summary, merged_element, summary_list
from shapecheck.static.engine.dispatch import Arguments, Keywords, dispatch
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.lost_writes import havoc_applied
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.switched_parts import havoc_switched, havoc_visited
from shapecheck.static.models.nn.casts import cast_module
from shapecheck.static.models.nn.children import NAMES as CHILDREN
from shapecheck.static.models.nn.children import VISITING, children_of, submodule
from shapecheck.static.models.nn.containers import run_container
from shapecheck.static.models.nn.parameters import parameters_of

_RETURN_SELF = frozenset(
    "to cuda cpu half float double bfloat16 eval train requires_grad_ apply share_memory compile type".split()
)
_PARAMETER_METHODS = _RETURN_SELF | {"parameters"}
_MASK = "generate_square_subsequent_mask"
_UNKNOWN_SIZE = Unknown("mask of unknown size")
_MODULES = (ModuleSpec, ModuleContainer, Instance)
_CONTAINER_MUTATORS = frozenset("add_module append extend insert pop update register_module clear".split())


def of_module(run: Run, node: ast.AST, receiver: Value, name: str, args: Arguments, kwargs: Keywords) -> Value:
    """Calls a method of a module, a container or a layer: returns its result and applies its changes."""
    if name in _PARAMETER_METHODS:
        return _of_parameters(run, node, receiver, name, (args, kwargs))
    if name in ("get_submodule", "set_submodule"):
        return (submodule if name == "get_submodule" else partial(_set_submodule, run, node))(receiver, *args, **kwargs)
    if isinstance(receiver, ModuleContainer):
        return _of_container(run, node, receiver, name, registered(name, args, kwargs))
    if isinstance(receiver, Instance):
        return _of_instance(run, node, receiver, name, args, kwargs)
    if name == _MASK:
        return _mask(run, node, *args, **kwargs)
    if name in REGISTERING and len(registered(name, args, kwargs)) == 2:
        return None
    if name == "forward":
        return dispatch.call_object(run, node, receiver, args, {})
    return Unknown(f"unsupported {name}() of a module")


def _set_submodule(
    run: Run, node: ast.AST, receiver: Value, target: Value = None, module: Value = None, *_rest: Value, **_more: Value
) -> Value:
    """`set_submodule("encoder.fc", layer)`; under an unknown name, it may replace any submodule."""
    path, _, name = target.rpartition(".") if isinstance(target, str) else ("", "", "")
    parent = submodule(receiver, path) if name else None
    if isinstance(parent, (Instance, ModuleContainer)):
        dispatch.set_attribute(run, node, name, module, parent)
    else:
        _lose_modules(run, receiver)
    return None


def _lose_modules(run: Run, receiver: Value) -> None:
    """Makes all submodules of a module unknown."""
    if isinstance(receiver, ModuleContainer):
        run.journal.lose(receiver)
    elif isinstance(receiver, Instance):
        for key, held in list(receiver.fields.items()):
            if isinstance(key, str) and isinstance(held, _MODULES):
                run.journal.write(receiver, key, Unknown("a submodule that may have been replaced"))


def _of_instance(run: Run, node: ast.AST, receiver: Instance, name: str, args: Arguments, kwargs: Keywords) -> Value:
    """Calls a method that a module of the project inherits from nn.Module or another layer."""
    layer = receiver.fields.get(LAYER)
    if isinstance(layer, ModuleContainer) and name in ("add_module", "register_module"):
        return _of_container(run, node, layer, "add_module", registered(name, args, kwargs))
    if name in REGISTERING:
        match registered(name, args, kwargs):
            case (str(key), value):
                run.journal.write(receiver, key, value)
            case _:
                run.journal.write(receiver, UNNAMED, True)
        return None
    if name == _MASK:
        return _mask(run, node, *args, **kwargs)
    if layer is not None:
        return of_module(run, node, layer, name, args, kwargs)
    if name in CHILDREN:
        return children_of(receiver, name)
    if name in VISITING:
        havoc_visited(run, receiver)
    return Unknown(f"unsupported {name}() of a module")


def registered(name: str, args: Arguments, kwargs: Keywords) -> Arguments:
    """The name and the value that a method registers, positional or not; the arguments of any other method."""
    if name not in REGISTERING:
        return args
    keywords = (
        "name",
        "tensor" if name == "register_buffer" else "param" if name == "register_parameter" else "module",
    )
    return (*args[:2], *[kwargs[one] for one in keywords[len(args[:2]) :] if one in kwargs])


def _of_container(run: Run, node: ast.AST, receiver: ModuleContainer, name: str, args: Arguments) -> Value:
    if is_summary(receiver):
        return _of_summary(run, receiver, name, args)
    items = receiver.items
    if name in ("items", "named_children"):
        return ListValue(tuple(items.items()))
    if name == "keys":
        return ListValue(tuple(items))
    if name in ("values", "children"):
        return ListValue(tuple(items.values()))
    if name == "forward" and receiver.kind == "Sequential":
        return run_container(run, node, receiver, args)
    changed = _items_after(items, name, args)
    if changed is not None:
        run.journal.write(receiver, ITEMS, changed)
        return None if name in REGISTERING else receiver
    if name in _CONTAINER_MUTATORS:
        run.journal.lose(receiver)
    if name in VISITING:
        havoc_visited(run, receiver)
    return receiver if name == "extend" else Unknown(f"unsupported {name}() of a container")


def _of_summary(run: Run, receiver: ModuleContainer, name: str, args: Arguments) -> Value:
    """Calls a method of a ModuleList of unknown length."""
    if name == "children":
        return summary_list(element_in_state(receiver.fields))
    if name == "named_children":
        return summary_list((Unknown("an unknown name"), element_in_state(receiver.fields)))
    if name in ("append", "insert") and args:
        run.journal.write(receiver, SUMMARY, merged_element(element_in_state(receiver.fields), args[-1]))
        return receiver if name == "append" else None
    if name in _CONTAINER_MUTATORS:
        run.journal.lose(receiver)
    return receiver if name == "extend" else Unknown(f"{name}() of an unknown number of layers")


def _items_after(items: dict[str, Value], name: str, args: Arguments) -> dict[str, Value] | None:
    """The items of a container after a method call; None if the method changes nothing, or in an unknown way."""
    match name, args:
        case "append", (layer,):
            return {**items, str(len(items)): layer}
        case "extend", (more,):
            layers = items_of(more)
            return None if layers is None else {**items, **{str(n): one for n, one in enumerate(layers, len(items))}}
        case "insert", (int(index), layer):
            layers = list(items.values())
            layers.insert(index, layer)
            return {str(n): one for n, one in enumerate(layers)}
        case "add_module" | "register_module", (str(key), layer):
            return {**items, key: layer}
    return None


def _of_parameters(run: Run, node: ast.AST, receiver: Value, name: str, arguments: tuple[Arguments, Keywords]) -> Value:
    """Calls a method that applies to all parameters of a module."""
    if name == "apply":
        for one in (*arguments[0], *arguments[1].values()):
            havoc_applied(run, receiver, one)
            havoc_switched(run, receiver, one)
    if name in _RETURN_SELF:
        return cast_module(run, node, receiver, name, arguments)
    found = None if any(arguments) else parameters_of(receiver)
    return Unknown("unknown parameters") if found is None else ListValue(tuple(found))


def _mask(run: Run, node: ast.AST, sz: Value = _UNKNOWN_SIZE, *_: Value, **kwargs: Value) -> Value:
    """The result of `nn.Transformer.generate_square_subsequent_mask`."""
    return dispatch.torch_call(run, node, "torch.zeros", (sz, sz), kwargs)


ASKING: dict[str, Callable[..., Value]] = {
    f"torch.nn.Transformer.{_MASK}": _mask,
    f"torch.nn.modules.transformer.Transformer.{_MASK}": _mask,
}
