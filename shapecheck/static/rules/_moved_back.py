"""`x.view(b, c // g, g).transpose(1, 2)` of an x of shape (b, g, c // g): the elements are interleaved on purpose.

A reshape that should move a dimension is not followed by a transposition that moves it back.
"""

from __future__ import annotations

import ast

from shapecheck.project.parents import parents_in
from shapecheck.spec import Size

_EXCHANGING = frozenset(("transpose", "swapaxes", "swapdims"))


def is_moved_back(function: ast.AST | None, node: ast.AST, given: tuple[Size, ...], result: tuple[Size, ...]) -> bool:
    """Whether a method of the result of a reshape gives it the sizes of the reshaped tensor again, as `.mT` does."""
    parents = {} if function is None else parents_in(function)
    method = parents.get(node)
    if not isinstance(method, ast.Attribute) or len(given) != len(result):
        return False
    order = _order(method, parents.get(method), len(result))
    return len(order) == len(result) and all(
        _may_be(result[index], one) for index, one in zip(order, given, strict=True)
    )


def _may_be(size: Size, other: Size) -> bool:
    """Whether two sizes are the same one, as far as they have names."""
    return size == other or "?" in f"{size} {other}"


def _order(method: ast.Attribute, call: ast.AST | None, rank: int) -> list[int]:
    """The order in which a method returns so many dimensions, empty if it is unknown."""
    order = list(range(rank))
    if method.attr == "mT" or (method.attr == "T" and rank == 2):
        return [*order[:-2], *reversed(order[-2:])]
    if not isinstance(call, ast.Call) or call.func is not method:
        return []
    named = [_index(one, rank) for one in call.args]
    axes = [one for one in named if one is not None]
    if len(axes) < len(named):
        return []
    if method.attr == "permute":
        return axes
    if method.attr in _EXCHANGING and len(axes) == 2:
        first, second = axes
        order[first], order[second] = order[second], order[first]
        return order
    return []


def _index(node: ast.expr, rank: int) -> int | None:
    """The dimension that a literal index selects, None for any other expression."""
    try:
        index = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    return index % rank if type(index) is int and -rank <= index < rank else None
