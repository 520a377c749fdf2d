"""nn.Sequential, nn.ModuleList and the like: their constructors, and the call of an nn.Sequential."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Collection, DictValue, ModuleContainer
from shapecheck.static.domain.summary_collections import is_summary, merged_element, summary_layers
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import has_items, items_of, some_item
from shapecheck.static.engine.run import Run

CONTAINERS = {
    "Sequential": None,
    "ModuleList": "modules",
    "ModuleDict": "modules",
    "ParameterList": "values",
    "ParameterDict": "parameters",
}
"""The kinds of containers, with the name of the parameter that receives the items; None if it has no name."""


def build(run: Run, kind: str, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> Value:
    """The container that the constructor of this kind creates."""
    args = (*args, *(value for name, value in kwargs.items() if name == CONTAINERS[kind]))
    if kind == "ModuleList" and len(args) == 1 and has_items(args[0]) and items_of(args[0]) is None:
        return summary_layers(some_item(args[0]))
    if any(isinstance(one, Collection) and one.lost for one in args if not isinstance(one, ModuleContainer)):
        return Unknown("an unknown number of layers")
    if kind == "Sequential" and not (len(args) == 1 and isinstance(args[0], DictValue)):
        return ModuleContainer(kind, {str(index): one for index, one in enumerate(args)})
    if not args:
        return ModuleContainer(kind, {})
    if isinstance(args[0], DictValue) and not args[0].lost:
        return ModuleContainer(kind, {str(name): one for name, one in args[0].items.items()})
    items = items_of(args[0])
    if items is None:
        return Unknown("an unknown number of layers")
    if kind.endswith("Dict"):
        pairs = [one for one in items if type(one) is tuple and len(one) == 2]
        return ModuleContainer(kind, {str(name): one for name, one in pairs})
    return ModuleContainer(kind, {str(index): one for index, one in enumerate(items)})


def of_unknown_number(layers: Sequence[Value], more: Value) -> Value:
    """An nn.Sequential of these layers and those of a list of unknown length, in any order."""
    if not has_items(more):
        return Unknown("an unknown number of layers")
    return summary_layers(reduce(merged_element, layers, some_item(more)), "Sequential")


def without(container: ModuleContainer, key: Value) -> dict[str, Value] | None:
    """The items of a container after `del container[key]`, numbered again unless it is a dict; None if unknown."""
    if container.lost:
        return None
    names, numbers = list(container.items), range(len(container.items))
    if isinstance(key, str):
        removed = {key}
    elif type(key) is int and -len(names) <= key < len(names):
        removed = {names[key]}
    elif isinstance(key, slice) and all(type(one) in (int, type(None)) for one in (key.start, key.stop, key.step)):
        removed = {names[index] for index in numbers[key]}
    else:
        return None
    if not removed <= set(names):
        return None
    left = {name: one for name, one in container.items.items() if name not in removed}
    return left if container.kind.endswith("Dict") else {str(n): one for n, one in enumerate(left.values())}


def run_container(run: Run, node: ast.AST, container: ModuleContainer, args: tuple[Value, ...]) -> Value:
    """The result of calling a container: that of applying the layers of an nn.Sequential in order."""
    if container.kind != "Sequential" or len(args) != 1 or _contains_itself(container):
        return Unknown(f"call of a {container.kind}")
    if is_summary(container):
        return _repeated(run, node, container, args[0])
    if container.lost:
        return Unknown("call of an unknown number of layers")
    value = args[0]
    for layer in container.items.values():
        value = dispatch.call(run, node, layer, (value,), {})
    return value


def _repeated(run: Run, node: ast.AST, container: ModuleContainer, value: Value) -> Value:
    """The result of one layer of an nn.Sequential of unknown length or more; sizes that the number decides are unknown.

    As in a loop of unknown length, the layers are applied twice.
    """
    once = dispatch.call(run, node, some_item(container), (value,), {})
    if isinstance(once, Unknown):
        return once
    return merged_element(once, dispatch.call(run, node, some_item(container), (once,), {}))


def _contains_itself(container: ModuleContainer) -> bool:
    """Whether a container is an item of itself, or of a container in it."""
    found = [container]
    for one in found:  # grows while it is read
        inner = [item for item in one.items.values() if isinstance(item, ModuleContainer)]
        if any(item is container for item in inner):
            return True
        found += [item for item in inner if not any(item is known for known in found)]
    return False
