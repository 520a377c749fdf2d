"""Arguments that have sizes in common, where annotations are inferred.

Inferred annotations leave an axis without a name, or give it one of its own, if nothing says which other size it has.
So that inputs fit a model such as attention, in which queries and keys have one batch, their axes get equal sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from shapecheck.harness.inputs.specification import InputSpecification, axis_name, run_name
from shapecheck.runtime.hints import ArrayHint
from shapecheck.spec.annotation import Fixed, Symbolic, Variadic

_IMAGES = (3, 5, 7, 11)
"""The shape of tensors of unknown rank that may be images."""
_TOKENS = (3, 5)
"""The first sizes of tensors `(..., features)` that may be sequences."""


@dataclass(frozen=True)
class _Placed:
    """A tensor with its shape under a plan. names: of its axes, None for one that is a number or an expression."""

    names: tuple[str | None, ...]
    shape: tuple[int, ...]
    run: str = ""
    """The name of the dots that are its whole shape."""
    part: str = ""
    """The name of the dots before or after other axes."""


Align = Callable[[Mapping[str, int]], dict[str, int]]
"""Makes sizes equal, those of the first tensors as they are."""


def alignments(specification: InputSpecification, absent: frozenset[str]) -> Iterator[Align]:
    """Ways to make more and more axes equal: all first ones, all of tensors with one rank, and those of `...`."""
    for steps in _WAYS:
        yield partial(_aligned, specification, absent, steps)


def _aligned(
    specification: InputSpecification, absent: frozenset[str], steps: Iterable[_Step], sizes: Mapping[str, int]
) -> dict[str, int]:
    found = dict(sizes)
    for step in steps:
        placed = [_placed(specification, place, array, found) for place, array in specification.arrays(absent)]
        found |= step([one for one in placed if one.shape], found)
    return found


def _of_first_axes(placed: Sequence[_Placed], sizes: Mapping[str, int]) -> dict[str, int]:
    leader = next((one.shape[0] for one in placed if one.names[0]), 0)
    return {one.names[0]: leader for one in placed if one.names[0]}


def _of_a_rank(placed: Sequence[_Placed], sizes: Mapping[str, int]) -> dict[str, int]:
    """Each axis has the size of the same axis of the first tensor with this rank."""
    leaders: dict[int, _Placed] = {}
    found: dict[str, int] = {}
    for one in placed:
        leader = leaders.setdefault(len(one.shape), one)
        found |= {name: size for name, size in zip(one.names, leader.shape, strict=True) if name}
    return found


def _of_dots(placed: Sequence[_Placed], sizes: Mapping[str, int]) -> dict[str, int]:
    """Tensors of any shape have the shape of the first one whose rank is known."""
    shape = next((one.shape for one in placed if not one.run and len(one.shape) > 1), ())
    return _with_shape([one.run for one in placed], shape)


def _as_images(placed: Sequence[_Placed], sizes: Mapping[str, int]) -> dict[str, int]:
    """Tensors of any shape are images: `(n, c, h, w)`."""
    run = next((one.run for one in placed if one.run), "")
    shape = [sizes.get(f"{run}.{axis}", size) for axis, size in enumerate(_IMAGES)]
    return _with_shape([one.run for one in placed], shape)


def _as_tokens(placed: Sequence[_Placed], sizes: Mapping[str, int]) -> dict[str, int]:
    """Dots next to other axes are two axes: `(n, t, features)`."""
    return _with_shape([one.part for one in placed], _TOKENS)


def _with_shape(runs: Iterable[str], shape: Sequence[int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for run in [one for one in runs if one and shape]:
        found[run] = len(shape)
        found |= {f"{run}.{axis}": size for axis, size in enumerate(shape)}
    return found


_Step = Callable[[Sequence[_Placed], Mapping[str, int]], dict[str, int]]
_WAYS: tuple[tuple[_Step, ...], ...] = (
    (_of_first_axes,),
    (_of_first_axes, _of_a_rank),
    (_of_first_axes, _of_a_rank, _of_dots),
    (_as_images, _of_first_axes, _of_a_rank),
    (_as_tokens, _of_first_axes, _of_a_rank),
)


def _placed(specification: InputSpecification, place: str, array: ArrayHint, sizes: Mapping[str, int]) -> _Placed:
    names: list[str | None] = []
    run = ""
    for index, pattern in enumerate(array.axes.axes):
        if isinstance(pattern, Variadic):
            run = run_name(place, pattern)
            names.extend(f"{run}.{axis}" for axis in range(sizes[run]))
        else:
            names.append(None if isinstance(pattern, (Fixed, Symbolic)) else axis_name(place, index, pattern))
    whole, part = (run, "") if len(array.axes.axes) == 1 else ("", run)
    return _Placed(tuple(names), specification.shape(place, array, sizes), whole, part)
