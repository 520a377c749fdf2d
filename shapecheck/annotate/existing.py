"""The parts of existing annotations that may be refined: plain tensors, also in `Optional[...]`, tuples and lists."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from shapecheck.static.observing.signature_facts import Kind, ValueFacts

_LISTS = frozenset(("list", "List", "Sequence"))
_TUPLES = frozenset(("tuple", "Tuple"))

_OTHERS = frozenset("bool bytes complex dict Dict float int Mapping str".split())

Refinements = Iterator[tuple[ast.expr, ValueFacts]]


def refinements(node: ast.expr, value: ValueFacts, is_tensor: Callable[[ast.expr], bool]) -> Refinements:
    """The nodes of an annotation that are plain tensors, with what is known about each."""
    if is_tensor(node):
        if value.kind is Kind.TENSOR:
            yield node, value
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _of_optional([node.left, node.right], value, is_tensor)
    elif isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        items = _items(node)
        if name in ("Optional", "Union"):
            yield from _of_optional(items, value, is_tensor)
        elif name in _TUPLES and value.kind is Kind.TUPLE and len(items) == len(value.items):
            for one, item in zip(items, value.items, strict=True):
                yield from refinements(one, item, is_tensor)
        elif name in _LISTS and value.kind is Kind.LIST and len(items) == 1:
            yield from refinements(items[0], value.items[0], is_tensor)


def contradicts(node: ast.expr, value: ValueFacts, is_tensor: Callable[[ast.expr], bool]) -> bool:
    """Whether an annotation certainly is of another type than the value: then a checked call of the function fails."""
    if value.kind is Kind.UNION:
        return any(contradicts(node, one, is_tensor) for one in value.members)
    if value.kind not in (Kind.TENSOR, Kind.TUPLE, Kind.LIST) or value.is_optional:
        return False
    if is_tensor(node):
        return value.kind is not Kind.TENSOR
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return all(contradicts(one, value, is_tensor) for one in (node.left, node.right))
    name = ast.unparse(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]
    items = _items(node)
    if name in ("Optional", "Union"):
        return bool(items) and all(contradicts(one, value, is_tensor) for one in items)
    if name in _TUPLES and value.kind is Kind.TUPLE and len(items) == len(value.items):
        return any(contradicts(one, item, is_tensor) for one, item in zip(items, value.items, strict=True))
    is_tuple, is_list = name in _TUPLES and value.kind is not Kind.TUPLE, name == "list" and value.kind is not Kind.LIST
    return name in _OTHERS or is_tuple or is_list or (name in _LISTS and value.kind is Kind.TENSOR)


def _items(node: ast.expr) -> list[ast.expr]:
    if not isinstance(node, ast.Subscript):
        return []
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _of_optional(members: list[ast.expr], value: ValueFacts, is_tensor: Callable[[ast.expr], bool]) -> Refinements:
    others = [one for one in _flat(members) if not (isinstance(one, ast.Constant) and one.value is None)]
    if len(others) == 1:
        yield from refinements(others[0], value, is_tensor)
        return
    for member in value.members:
        fitting = [found for one in others if (found := list(refinements(one, member, is_tensor)))]
        if len(fitting) == 1:
            yield from fitting[0]


def _flat(members: list[ast.expr]) -> Iterator[ast.expr]:
    """The members of a union and of the unions in it."""
    for one in members:
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.BitOr):
            yield from _flat([one.left, one.right])
        else:
            yield one
