"""Which tensor an operand is a reduction of, traced back through the recorded origins of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import Size, TensorSpec
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

_MOST_HOPS = 12
_OTHERS = frozenset(("max", "min", "median", "argmax", "argmin", "logsumexp", "prod", "all", "any", "count_nonzero"))
"""Further operators that reduce along `dim`; they have other forms, or other results, besides."""
_MOVES = frozenset("transpose t permute swapaxes swapdims movedim moveaxis flip roll sort".split())
"""What keeps the shape of a square matrix, but not the order of its elements."""


class Reduction(NamedTuple):
    """A tensor, and the dimension without which the operand has its shape."""

    source: TensorSpec
    axis: int


def reduction_of(run: Run, value: TensorSpec) -> Reduction | None:
    """The reduction that an operand results from, also behind arithmetic with numbers and a new first axis."""
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(value)
        if made is None or isinstance(made.callee, ModuleSpec):
            return None
        name = made.callee.rpartition(".")[2].removesuffix("_")
        if name in names_with(Trait.REDUCES) or name in _OTHERS:
            return _reduction(made)
        source = _source(made, name)
        if source is None:
            return None
        value = source
    return None


def _source(made: TensorOrigin, name: str) -> TensorSpec | None:
    """The tensor whose elements an operator passes on, with the same dimensions behind a new first one."""
    tensors = [one for one in made.args if isinstance(one, TensorSpec)]
    if len(tensors) != 1 or name in _MOVES:
        return None
    keeps = isinstance(made.value, TensorSpec) and made.value.shape == tensors[0].shape
    return tensors[0] if keeps or _is_first_axis(made) else None


def _is_first_axis(made: TensorOrigin) -> bool:
    name = str(made.callee).rpartition(".")[2]
    dim = made.kwargs.get("dim", made.args[1] if len(made.args) > 1 else None)
    return name == "unsqueeze" and type(dim) is int and dim == 0


def _reduction(made: TensorOrigin) -> Reduction | None:
    source, result = made.args[0] if made.args else None, made.value
    if not isinstance(source, TensorSpec) or not isinstance(result, TensorSpec):
        return None
    axis = axis_between(source.dims, result.dims) if source.rank and result.rank is not None else None
    if axis is None:
        axis = _written_axis(made)
    is_kept = source.rank is not None and source.rank == result.rank
    return None if axis is None or is_kept or _keeps(made) else Reduction(source, axis)


def axis_between(larger: Sequence[Size], smaller: Sequence[Size]) -> int | None:
    """The one dimension without which a shape is another one; None if there is none, or more than one may be it."""
    if len(larger) != len(smaller) + 1:
        return None
    axes = [axis for axis in range(len(larger)) if (*larger[:axis], *larger[axis + 1 :]) == tuple(smaller)]
    return axes[0] if len(axes) == 1 else None


def _written_axis(made: TensorOrigin) -> int | None:
    """The argument `dim`: for `norm` the second number, because the first is the order."""
    given = made.kwargs.get("dim")
    if given is None:
        numbers = [one for one in made.args[1:] if type(one) is int]
        place = 1 if str(made.callee).rpartition(".")[2] in ("norm", "vector_norm") else 0
        given = numbers[place] if place < len(numbers) else None
    if isinstance(given, tuple) and len(given) == 1:
        given = given[0]
    return given if type(given) is int else None


def _keeps(made: TensorOrigin) -> bool:
    return made.kwargs.get("keepdim", False) is not False or any(isinstance(one, bool) for one in made.args[1:])
