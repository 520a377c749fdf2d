"""`x.view(b, t, h, d).transpose(1, 2)`, and later `.transpose(1, 2).view(b, t // g, h, g * d)`: one view of x.

The order of the elements is that of x again, so the second view does not separate what the first one did.
"""

from __future__ import annotations

from math import prod

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Size, TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

_VIEWS = frozenset(("view", "reshape"))
_EXCHANGING = frozenset(("transpose", "swapaxes", "swapdims"))
_PASSING = frozenset("contiguous clone detach to float half type".split())
_MOST_HOPS = 12


def first_shape(run: Run, value: TensorSpec) -> tuple[Size, ...] | None:
    """The sizes that a tensor had before it was split, if its elements are in that order; None if that is unknown."""
    order = tuple(range(value.rank or 0))
    identity = order
    current: Value = value
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(current) if isinstance(current, TensorSpec) else None
        if made is None or isinstance(made.callee, ModuleSpec) or not made.args:
            return None
        name, source = made.callee.rpartition(".")[2], made.args[0]
        if name in _VIEWS:
            is_whole = isinstance(source, TensorSpec) and order == identity
            return _merged(source, made.value) if is_whole and isinstance(source, TensorSpec) else None
        if name not in _PASSING:
            moved = transposed(made, name, len(order))
            if moved is None:
                return None
            order = tuple(moved[axis] for axis in order)
        current = source
    return None


def _merged(source: TensorSpec, split: Value) -> tuple[Size, ...] | None:
    """The sizes of the operand of a view; of one of unknown rank, those of the result with the last size again whole.

    `n_feat // n_head` is rounded, so its product with `n_head` is not known to be `n_feat`.
    """
    if source.rank is not None:
        return tuple(source.dims)
    if not source.shape.tail or not isinstance(split, TensorSpec) or not split.rank:
        return None
    last, sizes = source.shape.tail[-1], tuple(split.dims)
    if last in sizes or len(sizes) < 3:
        return sizes
    starts = (start for start in range(len(sizes)) if same(prod(sizes[start:]), last) is True)
    start = next(starts, len(sizes) - 2)
    return (*sizes[:start], prod(sizes[start:]))


def transposed(made: TensorOrigin, name: str, rank: int) -> tuple[int, ...] | None:
    """The axes of the operand in the order of the result of a transposition; None for any other operator."""
    if name in ("t", "T") and rank == 2:
        return (1, 0)
    given = made.args[1] if len(made.args) == 2 and isinstance(made.args[1], tuple) else made.args[1:]
    axes = [one % rank for one in given if type(one) is int and -rank <= one < rank]
    if made.kwargs or len(axes) < len(given):
        return None
    if name in ("movedim", "moveaxis") and len(axes) == 2:
        kept = [one for one in range(rank) if one != axes[0]]
        return (*kept[: axes[1]], axes[0], *kept[axes[1] :])
    if name == "permute" and sorted(axes) == list(range(rank)):
        return tuple(axes)
    if name == "mT" and rank > 1:
        axes = [rank - 2, rank - 1]
    if (name in _EXCHANGING or name == "mT") and len(axes) == 2:
        exchanged = dict(zip(axes, reversed(axes), strict=True))
        return tuple(exchanged.get(axis, axis) for axis in range(rank))
    return None
