"""Axis names of annotations that have met a number or an attribute's size: from then on they are that size.

`Float[Tensor, "n features"]` before a layer of width 3 says that features is 3. The names of one signature are kept
apart, but two that have learnt the same size are the same: so before a refusal counts, what was learnt is put in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from shapecheck.ops.assumptions import Assumption
from shapecheck.spec import Dim, Size
from shapecheck.spec import substitute as put_in
from shapecheck.spec.dim import is_variable, variables
from shapecheck.static.domain.substitution import substitute

_V = TypeVar("_V")
Learned = dict[Dim, Size]


@dataclass(eq=False, slots=True)
class AxisBindings:
    """What the axis names of a run have learnt."""

    in_use: bool = False
    """Whether axis names stand for sizes, so that they can learn any."""
    sizes: Learned = field(default_factory=dict)


def bind_axes(learned: Learned, assumed: Iterable[Assumption]) -> None:
    """Takes over what an operator took for granted of a name: that it is a size in which no name of its own stands."""
    for one in assumed:
        for name, size in ((one.left, one.right), (one.right, one.left)):
            if isinstance(name, Dim) and is_variable(name) and name.scope and _is_foreign(size, name.scope):
                learned.setdefault(name, size)


def _is_foreign(size: Size, scope: str) -> bool:
    return all(one.scope != scope for one in variables(size))


def with_axis_bindings(learned: Learned, value: _V) -> _V:
    """A size, a tensor, or those in a tuple or list, with what was learnt put in."""
    return substitute(value, lambda size: put_in(size, learned))
