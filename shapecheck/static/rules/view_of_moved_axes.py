"""`y.transpose(1, 2).view(b, t, c)` of sizes that are only known by name: it works only if one of them is 1.

`ops` refuses a view that the strides exclude whatever the sizes are. Here numbers are tried: at least 2 for the sizes
that the call writes and for those that the user of the module chooses, 1 for the others, since a dimension that the
author knows to be 1, such as that of a pooled feature map, may be anywhere in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from shapecheck.spec import Dim, Shape, Size, TensorSpec, substitute
from shapecheck.spec.dim import has_unnamed, is_variable, variables
from shapecheck.spec.strides import Strides, numel, strides_of
from shapecheck.spec.view_strides import Blocked, view_strides
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.chosen_sizes import as_size, chosen_name
from shapecheck.static.engine.hooks import AbstractCall, after

_CODE = "non-contiguous"
_NUMBERS: Final = tuple(2**power for power in (1, 2, 4, 8, 13, 21, 31))
"""Sizes to try: the smaller divides the larger, as a number of heads divides a width, and few products are equal."""
_MOST_TRIALS: Final = 60
_MOST_NAMES: Final = 3
"""Of one size."""
_ENOUGH: Final = 3
"""Numbers for all sizes that must be refused."""


class _View(NamedTuple):
    """A tensor and the shape in which it is to be seen."""

    sizes: Strides
    strides: Strides
    new: Strides

    @property
    def is_flattened_transpose(self) -> bool:
        """Whether rows of a transposed matrix become one dimension. Its columns are several: a vector needs no t()."""
        are_rows = len(self.sizes) == 2 and self.strides[0] == 1 and self.sizes[1] != 1
        return are_rows and len(self.new) == 1 and type(self.sizes[0]) is int and self.sizes[0] > 1

    @property
    def names(self) -> list[Dim]:
        """The unknown sizes."""
        return list(dict.fromkeys(one for size in (*self.sizes, *self.strides, *self.new) for one in _variables(size)))

    def verdicts(self, larger: Collection[Dim]) -> list[Strides | Blocked | None]:
        """What torch says for numbers that suit the shapes, for few of them; `larger` are not 1."""
        return list(islice(self._verdicts(larger), _ENOUGH))

    def _verdicts(self, larger: Collection[Dim]) -> Iterator[Strides | Blocked | None]:
        random = Random(0)  # the same numbers each time
        names = self.names
        wide = [place for place, size in enumerate(self.sizes) if any(one in larger for one in _variables(size))]
        for _ in range(_MOST_TRIALS):
            numbers: dict[Dim, Size] = {}
            numbers |= dict.fromkeys(names, 1)
            numbers |= dict(zip(larger, random.sample(_NUMBERS, len(_NUMBERS)), strict=False))
            old, steps, new = (tuple(substitute(one, numbers) for one in part) for part in self)
            is_exact = numel(old) == numel(new) and all(type(one) is int and one > 0 for one in (*old, *steps, *new))
            if is_exact and all(old[place] != 1 for place in wide):
                yield view_strides(old, steps, new)


@after(_CODE, "view")
def of_moved_axes(call: AbstractCall, result: Value) -> Value:
    """Reports a view that is impossible unless a size is 1 that the author means to be larger."""
    tensor = call.args[0] if call.args else None
    if not isinstance(tensor, TensorSpec) or not isinstance(result, TensorSpec) or not call.run.is_unconditional:
        return result
    strides = strides_of(tensor)
    if strides is None or result.strides is not None or result.shape.run is not None:
        return result
    view = _View(tensor.shape.head, strides, result.shape.head)
    is_understood = all(map(_is_understood, (*view.sizes, *view.new))) or view.is_flattened_transpose
    if is_understood and view_strides(*view) is None:
        _try(call, view)
    return result


def _is_understood(size: Size) -> bool:
    """Whether a size is known by names, of which it has few: what a reshape computes of unknown ones need not vary."""
    return not isinstance(size, Dim) or (not has_unnamed(size) and len(list(_variables(size))) <= _MOST_NAMES)


def _try(call: AbstractCall, view: _View) -> None:
    larger = _larger(call, view)
    if len(larger) > len(_NUMBERS):
        return
    blocked = [one for one in view.verdicts(larger) if isinstance(one, Blocked)]
    if len(blocked) < _ENOUGH:
        return
    ways = [name for size, name in larger.items() if _is_possible(view, [one for one in larger if one != size])]
    only = f" unless {' or '.join(f'{name} is 1' for name in ways)}" if ways else ""
    axes = f"dimensions {blocked[0].upper} and {blocked[0].lower} are not contiguous"
    message = f"view: cannot view {Shape(view.sizes)} as {Shape(view.new)}: {axes}{only}; use reshape()"
    call.run.report(_CODE, call.node, message)


def _is_possible(view: _View, larger: Collection[Dim]) -> bool:
    """Whether torch makes the view if only these sizes are larger than 1."""
    verdicts = view.verdicts(larger)
    return bool(verdicts) and not any(isinstance(one, Blocked) for one in verdicts)


def _larger(call: AbstractCall, view: _View) -> dict[Dim, str]:
    """The sizes that are not 1, with their names: those that the call writes, and those that the user chooses.

    What such a size divides, or is multiplied with, is not 1 either: the width in `width // heads`.
    """
    written = {one for size in _written(call.args[1:]) for one in _variables(size)}
    found: dict[Dim, str] = {}
    if view.is_flattened_transpose:
        return {one: "the other size" if has_unnamed(one) else str(one) for one in _variables(view.sizes[1])}
    for size in view.names:
        name = chosen_name(call.run, size) or (str(size) if size in written else "")
        if name:
            found[size] = name
    for parts in (list(_variables(size)) for size in view.sizes):
        if any(one in found for one in parts):
            found |= {one: str(one) for one in parts if one not in found}
    return found


def _written(args: tuple[Value, ...]) -> Iterator[Dim]:
    """The sizes among the arguments of a call."""
    for one in args:
        if (size := as_size(one)) is not None:
            yield size
        elif type(one) is tuple:
            yield from _written(one)


def _variables(size: Size) -> Iterator[Dim]:
    """The unknown sizes of which a size consists."""
    if isinstance(size, Dim):
        yield from (one for one in variables(size) if is_variable(one))
