"""Lists of the sizes of a tensor of unknown rank that code changes: `sizes = list(x.shape)`, then `sizes[-1] = 4`.

Such sizes are a value without identity, so what changes is the variable or attribute that holds them.
"""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import Shape
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import OpenShape
from shapecheck.static.domain.open_sizes import OpenSizes, as_size
from shapecheck.static.engine.dispatch import Arguments
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read
from shapecheck.static.operators.in_place_reshaping import field_of

_MUTATORS = frozenset("append extend insert pop remove clear reverse sort __setitem__ __delitem__".split())
_CHANGED = Unknown("sizes of unknown rank that were changed")


def changes_sizes(method: str) -> bool:
    """Whether a method of this name changes a list."""
    return method in _MUTATORS


def change_sizes(run: Run, place: ast.expr, method: str, args: Arguments) -> None:
    """Binds the changed sizes to the variable or attribute that holds a list of them; else does nothing."""
    sizes = read(run, place)
    owner, name = field_of(run, place)
    if isinstance(sizes, OpenShape) and owner is not None:
        run.journal.write(owner, name, _changed(sizes, method, args))


def _changed(sizes: OpenShape, method: str, args: Arguments) -> Value:
    if not isinstance(sizes, OpenSizes):
        return _CHANGED
    shape = _shape_after(sizes.spec.shape, method, args)
    return _CHANGED if shape is None else OpenSizes.of(shape)


def _shape_after(shape: Shape, method: str, args: Arguments) -> Shape | None:
    match method, args:
        case "append", (size,):
            return shape.inserted(-1, as_size(size))
        case "extend", (tuple(sizes),):
            return Shape(shape.head, shape.run, (*shape.tail, *map(as_size, sizes)))
        case "insert", (int(index), size):
            return shape.inserted(index if index >= 0 else index - 1, as_size(size))
        case "pop", ():
            return shape.without(-1)
        case (("pop" | "__delitem__"), (int(index),)):
            return shape.without(index)
        case "__setitem__", (int(index), size):
            return shape.with_at(index, as_size(size))
    return None
