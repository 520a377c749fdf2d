"""Axis bindings: the sizes that axis names of annotations turn out to be.

`Float[Tensor, "n features"]` before a layer of width 3 binds `features` to 3. Names of one signature are distinct
sizes, but two that are bound to the same size are equal: bindings are substituted before a mismatch is reported.
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
    """The axis bindings of a run."""

    in_use: bool = False
    """Whether axis names denote sizes, so that they can be bound."""
    sizes: Learned = field(default_factory=dict)


def bind_axes(learned: Learned, assumed: Iterable[Assumption]) -> None:
    """Binds axis names that an operator assumed to be a size, unless it contains a name of the same signature."""
    for one in assumed:
        for name, size in ((one.left, one.right), (one.right, one.left)):
            if isinstance(name, Dim) and is_variable(name) and name.scope and _is_foreign(size, name.scope):
                learned.setdefault(name, size)


def _is_foreign(size: Size, scope: str) -> bool:
    return all(one.scope != scope for one in variables(size))


def with_axis_bindings(learned: Learned, value: _V) -> _V:
    """A size or tensor, or a tuple or list of them, with the axis bindings substituted."""
    return substitute(value, lambda size: put_in(size, learned))
