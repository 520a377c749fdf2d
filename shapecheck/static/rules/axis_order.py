"""`x.reshape(b, t, h * d)` of an x of shape (b, h, t, d): the sizes match, but the elements are shuffled.

`x.view(b, c, n)` of an x of shape (b, n, c) is the same mistake: a reshape does not move a dimension.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence, Set
from functools import partial
from typing import Final

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import Dim, Shape, Size, TensorSpec, same
from shapecheck.spec.dim import has_unnamed, is_variable, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import is_of_self
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._axis_moves import Move, Sizes, moved, times_as_many
from shapecheck.static.rules._earlier_views import first_shape
from shapecheck.static.rules._element_order import is_product, order_of
from shapecheck.static.rules._filled_items import is_filled
from shapecheck.static.rules._moved_back import is_moved_back
from shapecheck.static.rules._unpacked_names import ignored, with_names

_CODE: Final = "axis-order"


_SHIFTS = lazy_pattern(r"shift|skew|rel(?:ative)?_|toeplitz|scramble|shuffle|interleave")
"""Names of functions that move elements to other rows on purpose, as relative positions do."""
_OFFSETS = frozenset(("cat", "concat", "concatenate", "pad", "__getitem__", "narrow", "roll"))
"""How such functions add or drop the elements by which the rows are shifted."""
_ANY_ORDER = frozenset(
    "rand randn randint randperm rand_like randn_like zeros ones empty full zeros_like ones_like empty_like full_like"
    " new_zeros new_ones new_empty new_full normal Parameter".split()
)
"""Tensors whose elements can be in any order."""
_MOST_HOPS = 16


@after(_CODE, "reshape", "view")
def shuffled(call: AbstractCall, result: Value) -> Value:
    """Reports a result with a dimension whose elements come from another one."""
    given = call.args[0] if call.args else None
    if not isinstance(given, TensorSpec) or not isinstance(result, TensorSpec) or not given.rank or not result.rank:
        return result
    message = _message(call, given, result) or _message_of_merged(call, given, result)
    if message and not _is_deliberate(call, given, result) and not _is_split_again(call, given, result):
        why = partial(conflict_notes, call.run, call.node, call.name, (given,), {})
        call.run.report(_CODE, call.node, f"{message}; use permute or transpose first", why)
    return result


def _message(call: AbstractCall, given: TensorSpec, result: TensorSpec) -> str:
    """What is wrong with a reshape, empty if nothing is known to be."""
    learned = _learned(call)
    if _is_shuffled(given.dims, result.dims, learned) or _is_shuffled(result.dims, given.dims, learned):
        return f"{call.name} merges dimensions that are not adjacent: {given.shape} -> {result.shape}"
    move = moved(*with_names(call.run.frame.function, call.node, tuple(given.dims), tuple(result.dims)))
    if (
        move is None
        or _may_pass(call, move, given, result)
        or times_as_many(tuple(given.dims), tuple(result.dims)) is not None
    ):
        return ""
    size = _described(move, len(given.dims), len(result.dims))
    return f"{call.name} does not move {size}: {given.shape} -> {result.shape}"


def _message_of_merged(call: AbstractCall, given: TensorSpec, result: TensorSpec) -> str:
    """The same for a tensor whose dimensions were merged in another order than that in which they are split."""
    splits = any(is_product(size) and size not in result.dims for size in given.dims)
    if not splits or not call.run.origins.noted:
        return f"{call.name} of merged dimensions" if splits else ""
    sizes = tuple(size for axis in order_of(call.run, given) for size in axis)
    if len(sizes) == given.rank:
        return ""
    separate = given.with_shape(Shape(sizes))
    move = moved(sizes, tuple(result.dims))
    is_exchange = Counter(sizes) == Counter(result.dims)
    if move is None or (not is_exchange and _may_pass(call, move, separate, result)):
        return ""
    is_named = str(separate.shape) != str(result.shape)
    order = f"are ordered {separate.shape}" if is_named else "are in another order"
    return f"{call.name} of {given.shape} as {result.shape} shuffles elements that {order}"


def _may_pass(call: AbstractCall, move: Move, given: TensorSpec, result: TensorSpec) -> bool:
    """Whether a size moves past dimensions alone that may be 1: `b, _, t, d = x.shape` ignores one, or they are vague.

    The last dimension is ignored for another reason: it is that of the features, and is split.
    """
    frame = call.run.frame
    ignored_sizes = ignored(frame.function, tuple(given.dims), frame.names.fields)
    passed = given.dims[move.after : move.before] or given.dims[move.before + 1 : move.after + 1]
    behind = passed or given.dims[move.before + 1 :]
    if behind and all(map(_may_be_one, behind)):  # the patches of an image that is a patch
        return True
    if has_unnamed(move.size) and given.rank == result.rank == 2:  # a square matrix stays as it is
        return True
    learned = _learned(call)
    if len(behind) == 1 and behind[0] in learned and is_variable(move.size):
        return True
    if _fits_without(tuple(given.dims), tuple(result.dims), learned):
        return True
    return bool(passed) and move.after < len(given.dims) - 1 and all(one in ignored_sizes for one in passed)


def _fits_without(given: Sizes, result: Sizes, learned: Set[Size]) -> bool:
    """Whether nothing is moved if open sizes that the result lacks are 1; if it is vague itself, any may be open."""
    is_vague = sum(map(has_unnamed, result)) > 1
    open_sizes = [one for one in given if one in learned or has_unnamed(one) or (is_vague and is_variable(one))]
    kept = tuple(one for one in given if one in result or one not in open_sizes)
    return len(kept) < len(given) and moved(kept, result) is None


def _may_be_one(size: Size) -> bool:
    return size == 1 or has_unnamed(size)


def _described(move: Move, rank: int, new_rank: int) -> str:
    """What a reshape does not move; dimensions count from the end where they are the same from the start."""
    if move.before != move.after:
        return f"{move.size} from dimension {move.before} to {move.after}"
    if rank != new_rank:
        return f"{move.size} from dimension {move.before - rank} to {move.after - new_rank}"
    return f"elements across {move.size} in dimension {move.before}"


def _is_in_shift(call: AbstractCall) -> bool:
    """Whether the function that runs moves elements on purpose, as its name says."""
    return _SHIFTS.search(getattr(call.run.frame.function, "name", "")) is not None


def _is_deliberate(call: AbstractCall, given: TensorSpec, result: TensorSpec) -> bool:
    """Whether the elements can be in any order, or are shifted on purpose.

    Without recorded origins, the finding is merely suspected.
    """
    is_exchange = Counter(given.dims) == Counter(result.dims)
    if _is_weight(call.node) or (given.rank == result.rank and _is_in_shift(call)):
        return True
    if is_moved_back(call.run.frame.function, call.node, given.dims, result.dims):
        return True
    value: Value = given
    for _ in range(_MOST_HOPS):
        made = call.run.origins.of_tensor(value) if isinstance(value, TensorSpec) else None
        if made is None:
            return False
        name = made.callee.name if isinstance(made.callee, ModuleSpec) else made.callee.rpartition(".")[2]
        if (name in _ANY_ORDER and not is_filled(call.run, made.value)) or (is_exchange and name in _OFFSETS):
            return True
        if name not in names_with(Trait.KEEPS_AXES) or not made.args:
            return False
        value = made.args[0]
    return False


def _is_split_again(call: AbstractCall, given: TensorSpec, result: TensorSpec) -> bool:
    """Whether an earlier view split what this one splits in another way, so that nothing is moved."""
    first = first_shape(call.run, given)
    return first is not None and moved(first, tuple(result.dims)) is None


def _is_weight(node: ast.AST) -> bool:
    """Whether the tensor is an attribute of the object itself, whose elements another method arranged."""
    place = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    return is_of_self(place)


def _learned(call: AbstractCall) -> Set[Size]:
    """The sizes of arguments that only a use shows, and no variable holds: they may be equal to others."""
    if call.run.inputs is None:
        return frozenset()
    return call.run.inputs.sizes - {one for one in call.run.frame.names.fields.values() if isinstance(one, Dim)}


def _is_shuffled(separate: Sequence[Size], merged: Sequence[Size], learned: Set[Size]) -> bool:
    """Whether one of the merged sizes is the product of two separate ones that are not adjacent.

    Each of the others must be one of the separate sizes, and none of the two a learned size that may be equal to one of
    them, so that no other interpretation is possible.
    """
    if len(separate) != len(merged) + 1 or len(merged) < 2 or not all(isinstance(size, Dim) for size in separate):
        return False
    if len(set(separate)) < len(separate):
        return False
    products = [size for size in merged if size not in separate]
    rest = [size for size in separate if size not in merged]
    if len(products) != 1 or len(rest) != 2 or same(rest[0] * rest[1], products[0]) is not True:
        return False
    if _is_quotient(*rest) or _is_quotient(*reversed(rest)):
        return False
    first, second = (separate.index(size) for size in rest)
    is_adjacent = any(one in learned and _merges_if_equal(separate, one, rest) for one in rest)
    return second - first > 1 and not is_adjacent


def _merges_if_equal(separate: Sequence[Size], size: Size, rest: Sequence[Size]) -> bool:
    """Whether adjacent sizes are merged if the size equals one that is kept: (b, n, m) -> (b*m, n) if m is n."""
    other = next(one for one in rest if one != size)
    at = separate.index(size)
    return any(
        abs(index - separate.index(other)) == 1 and abs(index - at) == 1
        for index, kept in enumerate(separate)
        if kept not in rest
    )


def _is_quotient(size: Size, divisor: Size) -> bool:
    """Whether a size is the rest of another one, which may be 1: `x.view(batch, width, -1)`."""
    return not is_variable(size) and not variables(size).isdisjoint(variables(divisor))
