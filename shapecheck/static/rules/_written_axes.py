"""Whether somebody wrote the axis of size 1 that makes a tensor broadcast.

It is followed back through what was noted while an entry with findings runs for the second time: the first time a
finding is only suspected.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.conditions.silent_broadcast import KEEPDIM
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.values import ListValue, Value
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

_MOST = 64


def is_written(run: Run, value: TensorSpec, axis: int, names: frozenset[str]) -> bool:
    """Whether the axis (negative) was made by an operator of these names or by None in a subscript."""
    waiting = [value]
    for _ in range(_MOST):
        if not waiting:
            return False
        made = run.origins.of_tensor(waiting.pop())
        if made is None:
            continue
        name = made.callee.name if isinstance(made.callee, ModuleSpec) else made.callee.rpartition(".")[2]
        if name in names or _has_none(made.args[1:]) or (KEEPDIM in names and _keeps(made)):
            return True
        if name not in names_with(Trait.SHAPE_OF_INDEX):
            waiting += [one for one in _tensors(made.args) if _has_one(one, axis, value)]
    return True


def _has_none(args: tuple[Value, ...]) -> bool:
    """Whether a subscript has a None in it."""
    return any(type(one) is tuple and None in [part for part in one if part is None] for one in args)


def _keeps(made: TensorOrigin) -> bool:
    return bool(made.kwargs.get("keepdim", False)) or any(one is True for one in made.args)


def _tensors(args: tuple[Value, ...]) -> Iterator[TensorSpec]:
    for one in args:
        if isinstance(one, TensorSpec):
            yield one
        elif isinstance(one, ListValue) and not one.lost:
            yield from _tensors(one.items)
        elif isinstance(one, tuple):
            yield from _tensors(one)


def _has_one(one: TensorSpec, axis: int, value: TensorSpec) -> bool:
    return one.rank == value.rank and one.dims[axis] == 1
