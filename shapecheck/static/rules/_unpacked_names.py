"""Names of sizes: `b, n, c = x.shape` names the dimensions of x, also those whose size is a number."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Size, unknown

_Names = tuple[str, ...]


def with_names(
    function: ast.AST | None, node: ast.AST, given: tuple[Size, ...], result: tuple[Size, ...]
) -> tuple[tuple[Size, ...], tuple[Size, ...]]:
    """The shapes before and after `x.view(b, c, -1)`, with a symbol for each number that the code names in both.

    `x.view(b * h, n, n)` names two dimensions n, and which of them was unpacked to n is not known.
    """
    place, sizes = _reshaped(node)
    names = _named_at(function).get(place, {}).get(getattr(node, "lineno", 0)) if function and place else None
    if names is None or len(names) != len(given) or len(sizes) != len(result):
        return given, result
    mentioned = [one.id for size in sizes for one in walk(size) if isinstance(one, ast.Name)]
    once = {name for name in names if names.count(name) == mentioned.count(name) == 1}
    old, new = list(given), list(result)
    for index, size in enumerate(sizes):
        name = size.id if isinstance(size, ast.Name) else ""
        if name in once and type(result[index]) is int and given[names.index(name)] == result[index]:
            old[names.index(name)] = new[index] = unknown(name, low=1)
    return tuple(old), tuple(new)


def ignored(function: ast.AST | None, shape: tuple[Size, ...], values: Mapping[Any, object]) -> frozenset[Size]:
    """The sizes of a shape that a function unpacks to `_`, while it names others: `b, _, t, d = x.shape`.

    values: what the variables of the function hold.
    """
    found: set[Size] = set()
    for names in _unpackings(function) if function is not None else ():
        if len(names) == len(shape) and all(
            values.get(name) == size for name, size in zip(names, shape, strict=True) if not name.startswith("_")
        ):
            found.update(size for name, size in zip(names, shape, strict=True) if name.startswith("_"))
    return frozenset(found)


@cached_on_node
def _unpackings(function: ast.AST) -> tuple[_Names, ...]:
    """The names of each `b, _, t, d = x.shape` in which one is ignored, and another one is not."""
    found = (_unpacking(one)[0] for one in walk(function))
    return tuple(names for names in found if len({one.startswith("_") for one in names}) > 1)


def _reshaped(node: ast.AST) -> tuple[str, list[ast.expr]]:
    """The name of the tensor whose method is called, and the sizes."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return "", []
    sizes = list(node.args[0].elts) if len(node.args) == 1 and isinstance(node.args[0], ast.Tuple) else node.args
    value = node.func.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "contiguous":
        value = value.func.value
    return (value.id if isinstance(value, ast.Name) else ""), sizes


@cached_on_node
def _named_at(function: ast.AST) -> dict[str, dict[int, _Names]]:
    """For each variable whose shape is unpacked, the names of its sizes in the lines until it is assigned again."""
    found: dict[str, dict[int, _Names]] = {}
    lines = range(getattr(function, "lineno", 1), (getattr(function, "end_lineno", None) or 0) + 1)
    stored = [one for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    for one in walk(function):
        names, place = _unpacking(one)
        if not names:
            continue
        start = getattr(one, "lineno", 0)
        changed = [part.lineno for part in stored if part.id in (place, *names) and part.lineno > start]
        last = min(changed, default=lines.stop)
        found.setdefault(place, {}).update(dict.fromkeys(range(start + 1, last + 1), names))
    return found


def _unpacking(node: ast.AST) -> tuple[_Names, str]:
    """The names and the variable of `b, n, c = x.shape`."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple):
        return (), ""
    read, targets = node.value, node.targets[0].elts
    if isinstance(read, ast.Call) and not read.args and getattr(read.func, "attr", "") == "size":
        place = getattr(read.func, "value", None)
    else:
        place = read.value if isinstance(read, ast.Attribute) and read.attr == "shape" else None
    if not isinstance(place, ast.Name) or not all(isinstance(one, ast.Name) for one in targets):
        return (), ""
    return tuple(one.id for one in targets if isinstance(one, ast.Name)), place.id
