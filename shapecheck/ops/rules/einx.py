"""einx: operators that act on each element, with a pattern for the axes. Source: https://einx.readthedocs.io/.

Each tensor has an expression of its axes, `b n, n d -> b n d`, and the result has the axes on the right. Without a
right side, these are those of the only tensor that has all axes. Patterns with brackets or parentheses are not read.
"""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.rules.axes import unsqueeze
from shapecheck.ops.rules.einops import einsum
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.einops_pattern import ELLIPSIS, Side
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DType, TensorSpec, Unanswered
from shapecheck.spec.dtype import bool_

_ONE = "1"


@op("einx.add", "einx.subtract", "einx.multiply", "einx.maximum", "einx.minimum", "einx.logaddexp")
def arithmetic(pattern: str, *tensors: Any, **options: Any) -> TensorSpec:
    """The result for each combination of elements: `b n, n d -> b n d`."""
    return _elementwise(pattern, tensors, options, promoted(*tensors) if _are_known(tensors) else None)


@op("einx.divide", "einx.true_divide", "einx.floor_divide")
def divide(pattern: str, *tensors: Any, **options: Any) -> TensorSpec:
    """The quotients, whose dtype is not determined."""
    return _elementwise(pattern, tensors, options, None)


@op("einx.less", "einx.less_equal", "einx.greater", "einx.greater_equal", "einx.equal", "einx.not_equal")
def compare(pattern: str, *tensors: Any, **options: Any) -> TensorSpec:
    """Comparisons of elements."""
    return _elementwise(pattern, tensors, options, bool_)


@op("einx.logical_and", "einx.logical_or")
def logical(pattern: str, *tensors: Any, **options: Any) -> TensorSpec:
    """Logical operations on elements."""
    return _elementwise(pattern, tensors, options, bool_)


@op("einx.where")
def where(pattern: str, *tensors: Any, **options: Any) -> TensorSpec:
    """Elements of the second or the third operand: `b n, b n d, -> b n d`."""
    choices = tensors[1:]
    return _elementwise(pattern, tensors, options, promoted(*choices) if choices and _are_known(choices) else None)


def _are_known(tensors: tuple[Any, ...]) -> bool:
    return bool(tensors) and not any(isinstance(one, Unknown) for one in tensors)


def _elementwise(pattern: str, tensors: tuple[Any, ...], options: dict[str, Any], dtype: DType | None) -> TensorSpec:
    """A tensor with the axes of the result; the sizes of axes of the same name must be equal."""
    if options or not isinstance(pattern, str):
        raise Unanswered("einx with options")
    left, arrow, right = pattern.partition("->")
    operands = left.split(",")
    sides = [_axes(one) for one in operands]
    if len(sides) != len(tensors):
        raise Unanswered("einx with another number of tensors than in its pattern")
    axes = _axes(right) if arrow else _only_whole(sides)
    pairs = [(tensor, side) for tensor, side in zip(tensors, sides, strict=True) if side]
    known = {name for _, side in pairs for name in side}
    if not pairs or not known.issuperset(name for name in axes if name != _ONE):
        raise Unanswered("einx with axes that no tensor has")
    if not all(isinstance(tensor, (TensorSpec, Unknown)) for tensor, _ in pairs):
        raise Unanswered("einx with something other than tensors")
    if any(_ONE in side for _, side in pairs):
        raise Unanswered("einx with axes of size 1")
    kept = [name for name in axes if name != _ONE]
    equation = f"{', '.join(' '.join(side) for _, side in pairs)} -> {' '.join(kept)}"
    found: TensorSpec = einsum(*(tensor for tensor, _ in pairs), equation)
    for index, name in enumerate(axes):
        if name == _ONE:
            found = _with_one(found, index, axes)
    return found.with_dtype(dtype)


def _axes(expression: str) -> tuple[str, ...]:
    """The axes of an expression without groups."""
    if not set(expression).isdisjoint("()[]{}+"):
        raise Unanswered("einx with groups of axes")
    names = expression.split()
    try:
        Side(" ".join(name for name in names if name != _ONE))
    except CallError as unread:
        raise Unanswered("einx with a pattern that einops does not have") from unread
    if any(name.isdecimal() and name != _ONE for name in names):
        raise Unanswered("einx with numbers")
    return tuple(names)


def _only_whole(sides: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The axes of the only operand that has all axes."""
    every = {name for side in sides for name in side}
    whole = {side for side in sides if every <= set(side)}
    if len(whole) != 1:
        raise Unanswered("einx without the axes of the result")
    return whole.pop()


def _with_one(tensor: TensorSpec, index: int, axes: tuple[str, ...]) -> TensorSpec:
    """The tensor with an axis of size 1; after `...`, its place is counted from the end."""
    after = sum(name != _ONE for name in axes[index + 1 :])
    return unsqueeze(tensor, -1 - after if ELLIPSIS in axes[:index] else index)
