"""The parts of existing annotations that may be refined: plain tensors, also in `Optional[...]`, tuples and lists."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from shapecheck.static.observing.signature_facts import Kind, ValueFacts

_LISTS = frozenset(("list", "List", "Sequence"))
_TUPLES = frozenset(("tuple", "Tuple"))

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
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in ("Optional", "Union"):
            yield from _of_optional(items, value, is_tensor)
        elif name in _TUPLES and value.kind is Kind.TUPLE and len(items) == len(value.items):
            for one, item in zip(items, value.items, strict=True):
                yield from refinements(one, item, is_tensor)
        elif name in _LISTS and value.kind is Kind.LIST and len(items) == 1:
            yield from refinements(items[0], value.items[0], is_tensor)


def _of_optional(members: list[ast.expr], value: ValueFacts, is_tensor: Callable[[ast.expr], bool]) -> Refinements:
    others = [one for one in members if not (isinstance(one, ast.Constant) and one.value is None)]
    if len(others) == 1:
        yield from refinements(others[0], value, is_tensor)
