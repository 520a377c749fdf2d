"""The expressions of `self` and of arguments that have the value of a size: `self.width`, `self.fc.in_features`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeGuard

from shapecheck.ops import ModuleSpec
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, Shape, Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import LAYER, is_module
from shapecheck.static.domain.objects import AttributeNamespace, Instance, ModuleContainer

_OF_LAYERS = (
    "in_features out_features in_channels out_channels embedding_dim num_embeddings num_features hidden_size "
    "input_size embed_dim num_heads num_channels normalized_shape"
).split()
"""The attributes of torch's layers that are sizes of their inputs or results."""
_CONSTRUCTOR = "__init__"
_MOST = 500
_DEEPEST = 3
_MOST_ITEMS = 4
_CONTAINERS = frozenset(("Sequential", "ModuleList"))


def size_paths(bound: Mapping[str, Value], receiver: str | None) -> dict[Size, tuple[str, ...]]:
    """For each size, the expressions that have its value at the start and the end of a call, the simplest first."""
    found: dict[Size, list[str]] = {}
    for path, size in _all_paths(bound, receiver):
        found.setdefault(size, []).append(path)
    return {size: tuple(sorted(paths, key=_complexity)) for size, paths in found.items()}


def _all_paths(bound: Mapping[str, Value], receiver: str | None) -> Iterator[tuple[str, Size]]:
    for name, value in bound.items():
        if isinstance(value, Dim) or type(value) is int:
            yield name, value
    value = bound.get(receiver) if receiver is not None else None
    yield from islice(_paths(receiver or "", value, 0), _MOST)


def _complexity(path: str) -> tuple[int, int, int, str]:
    """A public attribute of the object is simpler than a private one, and that than one of its parts.

    The last item of a container comes after those with a number, which are enough where there are always as many.
    """
    return path.count(".") + 2 * path.count("["), path.count("._"), path.count("[-"), path


def _paths(path: str, value: Value, depth: int) -> Iterator[tuple[str, Size]]:
    if isinstance(value, (Instance, AttributeNamespace)) and depth < _DEEPEST:
        fields = _lasting(value)
        has_parameters = isinstance(value, Instance) and is_module(value.cls)
        for name, one in fields.items():
            if has_parameters or not isinstance(one, TensorSpec):
                yield from _of_value(f"{path}.{name}", one)
        for name, one in fields.items():
            yield from _paths(f"{path}.{name}", one, depth + 1)
        if LAYER in value.fields:
            yield from _of_layer(path, value.fields[LAYER])
    elif isinstance(value, ModuleContainer) and not value.lost:
        for inner, one in _items(path, value):
            yield from _paths(inner, one, depth + 1)
    elif isinstance(value, ModuleSpec):
        yield from _of_layer(path, value)


def _items(path: str, value: ModuleContainer) -> Iterator[tuple[str, Value]]:
    """The layers of a container; the last one of a list has two names, as there may be more layers in other objects."""
    is_list = value.kind.rpartition(".")[2] in _CONTAINERS
    for number, (name, one) in enumerate(value.items.items()):
        if is_list or name.isidentifier():
            yield f"{path}[{number}]" if is_list else f"{path}.{name}", one
        if is_list and 0 < number == len(value.items) - 1:
            yield f"{path}[-1]", one


def _lasting(value: Instance | AttributeNamespace) -> dict[str, Value]:
    """The attributes that no method sets to something else."""
    fields = {name: one for name, one in value.fields.items() if isinstance(name, str) and name.isidentifier()}
    if isinstance(value, Instance):
        changing = {name for cls in value.cls.mro() for name in _set_to_none(cls.node) | _set_later(cls.node)}
        fields = {name: one for name, one in fields.items() if name not in changing}
    return fields


@cached_on_node
def _set_to_none(cls: ast.ClassDef) -> frozenset[str]:
    """The attributes that methods of a class set to None, possibly."""
    found: set[str] = set()
    for one in walk(cls):
        if isinstance(one, ast.Assign) and _may_be_none(one.value):
            found.update(target.attr for target in one.targets if isinstance(target, ast.Attribute))
        elif isinstance(one, ast.AnnAssign) and _may_be_none(one.value) and isinstance(one.target, ast.Attribute):
            found.add(one.target.attr)
    return frozenset(found)


@cached_on_node
def _set_later(cls: ast.ClassDef) -> frozenset[str]:
    """The attributes that methods other than the constructor set: at the start of a call, they have another value."""
    methods = (one for one in cls.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return frozenset(
        node.attr
        for method in methods
        if method.name != _CONSTRUCTOR
        for node in walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    )


def _may_be_none(node: ast.expr | None) -> bool:
    if isinstance(node, ast.IfExp):
        return _may_be_none(node.body) or _may_be_none(node.orelse)
    return isinstance(node, ast.Constant) and node.value is None


def _of_value(path: str, value: Value) -> Iterator[tuple[str, Size]]:
    if type(value) is int or isinstance(value, Dim):
        yield path, value
    elif type(value) is tuple and len(value) <= _MOST_ITEMS:
        yield from ((f"{path}[{index}]", one) for index, one in enumerate(value) if _is_size(one))
    elif isinstance(value, Shape) and value.rank is not None:
        yield from ((f"{path}[{index}]", one) for index, one in enumerate(value.dims))
    elif isinstance(value, TensorSpec) and value.rank is not None:
        yield from ((f"{path}.shape[{axis}]", one) for axis, one in enumerate(value.dims) if one != 1)


def _is_size(value: Value) -> TypeGuard[Size]:
    return type(value) is int or isinstance(value, Dim)


def _of_layer(path: str, value: Value) -> Iterator[tuple[str, Size]]:
    for name in _OF_LAYERS:
        if name not in getattr(value, "open", ()):
            yield from _of_value(f"{path}.{name}", getattr(value, name, None))
