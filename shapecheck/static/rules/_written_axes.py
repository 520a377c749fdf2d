"""Whether the dimension of size 1 that makes a tensor broadcast was written on purpose.

It is traced back through the recorded origins of tensors. Those are recorded only while an entry point with findings
runs for the second time; the first time, a finding is merely suspected.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.conditions.silent_broadcast import AxisSource
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

_MOST = 64
_TRAITS = {AxisSource.BROADCASTING: Trait.FOR_BROADCASTING, AxisSource.RESHAPING: Trait.RESHAPES}


def is_written(run: Run, value: TensorSpec, axis: int, sources: AxisSource) -> bool:
    """Whether the dimension (negative) was made by an operator of these kinds, or by None in a subscript."""
    return origin_of_axis(run, value, axis, sources) is not None


def origin_of_axis(run: Run, value: TensorSpec, axis: int, sources: AxisSource) -> TensorOrigin | None:
    """The operator of these kinds that made the dimension (negative), or the subscript with None."""
    traits = [trait for source, trait in _TRAITS.items() if source in sources]
    waiting = [(value, axis)]
    for _ in range(_MOST):
        if not waiting:
            return None
        value, axis = waiting.pop()
        made = run.origins.of_tensor(value)
        if made is None:
            continue
        name = made.callee.name if isinstance(made.callee, ModuleSpec) else made.callee.rpartition(".")[2]
        if any(name in names_with(trait) for trait in traits) or _has_none(name, made.args[1:]):
            return made
        if AxisSource.KEEPDIM in sources and _keeps_axis(made):
            return made
        if name in names_with(Trait.MOVES_AXES):
            waiting += [(one, moved) for one in _tensors(made.args) if (moved := _only_one(one)) is not None]
        elif name not in names_with(Trait.SHAPE_OF_INDEX):
            waiting += [(one, axis) for one in _tensors(made.args) if _has_one(one, axis, value)]
    return None


def is_inserted(run: Run, value: TensorSpec, axis: int) -> bool:
    """Whether the dimension (counted from the start) was inserted, or comes from a tensor of unknown origin."""
    for _ in range(_MOST):
        made = run.origins.of_tensor(value)
        if made is None:
            return True
        name = made.callee.name if isinstance(made.callee, ModuleSpec) else made.callee.rpartition(".")[2]
        if name in names_with(Trait.FOR_BROADCASTING) or _has_none(name, made.args[1:]):
            return True
        input = made.args[0] if made.args else None
        if not isinstance(input, TensorSpec) or input.rank != value.rank or input.dims[axis] != 1:
            return False
        value = input
    return True


def _has_none(name: str, args: tuple[Value, ...]) -> bool:
    """Whether one of the arguments is a subscript that contains None, or is None."""
    if name == "__getitem__" and args[0] is None:
        return True
    return any(type(one) is tuple and any(part is None for part in one) for one in args)


def _keeps_axis(made: TensorOrigin) -> bool:
    return bool(made.kwargs.get("keepdim", False)) or any(one is True for one in made.args)


def _tensors(args: tuple[Value, ...]) -> Iterator[TensorSpec]:
    for one in args:
        if isinstance(one, TensorSpec):
            yield one
        elif isinstance(one, ListValue) and not one.lost:
            yield from _tensors(one.items)
        elif isinstance(one, tuple):
            yield from _tensors(one)


def _only_one(one: TensorSpec) -> int | None:
    """The dimension (negative) of size 1; None if there is none, or several."""
    found = [index for index, size in enumerate(one.dims) if size == 1] if one.rank is not None else []
    return found[0] - len(one.dims) if len(found) == 1 else None


def _has_one(one: TensorSpec, axis: int, value: TensorSpec) -> bool:
    """Whether the dimension has size 1 in an argument of the same rank as the result."""
    return one.rank == value.rank and one.shape.at(axis) == 1
