"""Memory traffic: bytes that one call of an operator reads and writes, if nothing is cached.

A tensor counts as often as its elements are read, so an expanded one counts in full. Views and allocations move
nothing; a look-up reads the rows that it selects, not the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

TrafficFormula = Callable[[tuple[Any, ...], Any], int]
"""From the positional arguments and the result to bytes."""


def _all_of(operator: Any) -> TrafficFormula:
    """Each positional input tensor and each result, once; the schema determines which arguments are considered."""
    if not hasattr(operator, "_schema"):
        return _with_lists
    kinds = [str(one.type) for one in operator._schema.arguments]
    if any("Tensor" in kind and "List" in kind for kind in kinds):
        return _with_lists
    return _first_arguments(max((place for place, kind in enumerate(kinds, start=1) if "Tensor" in kind), default=0))


def _first_arguments(last: int) -> TrafficFormula:
    """The result and the first arguments, none of which is a list of tensors."""

    def moved_by(args: tuple[Any, ...], result: Any) -> int:
        moved: int = result.nbytes if type(result) is Tensor else _nbytes(result)
        for one in args[:last]:
            if isinstance(one, Tensor):
                moved += one.nbytes
        return moved

    return moved_by


def _with_lists(args: tuple[Any, ...], result: Any) -> int:
    return _nbytes(result) + sum(map(_nbytes, args))


def _nbytes(value: Any) -> int:
    """The bytes of a tensor, or of those in a list or tuple."""
    if isinstance(value, Tensor):
        return value.nbytes
    if isinstance(value, (list, tuple)):
        return sum(_nbytes(one) for one in value)
    return 0


def _gathered(args: tuple[Any, ...], result: Any) -> int:
    """The selected elements are read and written; so are the integers and masks that select them."""
    return 2 * _nbytes(result) + sum(map(_index_bytes, args))


def _index_bytes(value: Any) -> int:
    if isinstance(value, Tensor):
        return 0 if value.is_floating_point() or value.is_complex() else value.nbytes
    return sum(map(_index_bytes, value)) if isinstance(value, (list, tuple)) else 0


def _scattered(args: tuple[Any, ...], result: Any) -> int:
    """Values written into an existing tensor: each is read and written; so are the indices."""
    return sum(_nbytes(one) for one in args[1:]) + (_nbytes(args[-1]) if isinstance(args[-1], Tensor) else 0)


def _written(args: tuple[Any, ...], result: Any) -> int:
    """A tensor that is overwritten or created is not read, nor is its template."""
    return _nbytes(result)


def _copied(args: tuple[Any, ...], result: Any) -> int:
    """`copy_(target, source)`: the source is read, the target written."""
    return sum(_nbytes(one) for one in args[:2])


_MADE_LIKE = "zeros_like ones_like full_like rand_like randn_like new_zeros new_ones new_full"

_FORMULAS: dict[str, TrafficFormula] = {
    **dict.fromkeys("embedding index _unsafe_index index_select gather take take_along_dim".split(), _gathered),
    **dict.fromkeys("index_put_ _index_put_impl_ scatter_ scatter_add_ index_add_ index_copy_".split(), _scattered),
    **dict.fromkeys("fill_ zero_ uniform_ normal_ bernoulli_ random_ exponential_".split(), _written),
    **dict.fromkeys(_MADE_LIKE.split(), _written),
    "copy_": _copied,
}

_NO_TRAFFIC = frozenset(
    """
    _unsafe_view unsafe_split unsafe_split_with_sizes unsafe_chunk lift_fresh lift set_ resize_ transpose_ t_ squeeze_
    unsqueeze_ swapaxes_ as_strided_ empty empty_like empty_strided new_empty new_empty_strided empty_permuted
    """.split()
)


def _returns_tensors(operator: Any) -> bool:
    """Questions about a tensor (`prim::device` of a FakeTensor, sizes of a nested one) move nothing."""
    schema = getattr(operator, "_schema", None)
    return schema is None or not schema.returns or any("Tensor" in str(one.type) for one in schema.returns)


def traffic_of(name: str, operator: Any) -> TrafficFormula | None:
    """How the bytes of an ATen operator are counted; None if it moves none."""
    if name in _NO_TRAFFIC or getattr(operator, "is_view", False) or not _returns_tensors(operator):
        return None
    return _FORMULAS.get(name) or _all_of(operator)
