"""Which property of a tensor an expression reads: `x.shape`, `x.size(1)`, `x.shape[-2:]`, `x.dim()`, `len(x)`."""

from __future__ import annotations

import ast
from typing import Literal, NamedTuple

Kind = Literal["shape", "part", "axis", "rank", "length", "dtype"]


class TensorRead(NamedTuple):
    """The property, and the place of the tensor; `start` and `stop` are the bounds of a part, or `start` the axis."""

    kind: Kind
    place: ast.expr
    start: int | None = None
    stop: int | None = None
    torch_only: bool = False
    """Whether only tensors have the property: `.dim()`, but not `.shape`."""


_RANKS = frozenset(("dim", "ndimension"))
_COPIES = frozenset(("tuple", "list"))


def tensor_read_of(node: ast.expr) -> TensorRead | None:
    """The property that an expression reads, None for any other expression."""
    if isinstance(node, ast.NamedExpr):
        return tensor_read_of(node.value)
    if isinstance(node, ast.Attribute):
        return _of_attribute(node)
    if isinstance(node, ast.Subscript):
        return _of_subscript(node)
    if isinstance(node, ast.Call) and not node.keywords:
        return _of_call(node)
    return None


def _of_attribute(node: ast.Attribute) -> TensorRead | None:
    if node.attr == "shape":
        return TensorRead("shape", node.value)
    if node.attr == "ndim":
        return TensorRead("rank", node.value)
    return TensorRead("dtype", node.value) if node.attr == "dtype" else None


def _of_call(node: ast.Call) -> TensorRead | None:
    if isinstance(node.func, ast.Attribute):
        return _of_method(node.func, node.args)
    if not isinstance(node.func, ast.Name) or len(node.args) != 1:
        return None
    of = tensor_read_of(node.args[0])
    if node.func.id in _COPIES:
        return of if of is not None and of.kind in ("shape", "part") else None
    if node.func.id != "len":
        return None
    if of is None:
        return TensorRead("length", node.args[0])
    return of._replace(kind="rank") if of.kind == "shape" else None


def _of_method(function: ast.Attribute, args: list[ast.expr]) -> TensorRead | None:
    if function.attr in _RANKS and not args:
        return TensorRead("rank", function.value, torch_only=True)
    if function.attr != "size":
        return None
    if not args:
        return TensorRead("shape", function.value, torch_only=True)
    axis = integer(args[0])
    return None if axis is None else TensorRead("axis", function.value, axis, torch_only=True)


def _of_subscript(node: ast.Subscript) -> TensorRead | None:
    of = tensor_read_of(node.value)
    if of is None or of.kind != "shape":
        return None
    if not isinstance(node.slice, ast.Slice):
        axis = integer(node.slice)
        return None if axis is None else of._replace(kind="axis", start=axis)
    written = [one for one in (node.slice.lower, node.slice.upper) if one is not None]
    if node.slice.step is not None or any(integer(one) is None for one in written):
        return None
    start, stop = (None if one is None else integer(one) for one in (node.slice.lower, node.slice.upper))
    return of._replace(kind="part", start=start, stop=stop)


def integer(node: ast.expr) -> int | None:
    """The value of an integer literal, None for any other expression."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = integer(node.operand)
        return None if number is None else -number
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
