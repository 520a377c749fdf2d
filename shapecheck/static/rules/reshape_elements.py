"""`x.reshape(b, s, d * heads)` of an x of shape (b, s, d): as many times too many elements as there are heads.

A dimension of a tensor may have one item in every call: `x.view(b, n)` drops the last one of a column. A size that a
constructor or a caller chooses is not 1, or the program would not multiply by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from shapecheck.spec import Dim, Size, TensorSpec, same
from shapecheck.spec.dim import has_unnamed
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Instance
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._axis_moves import Multiple, times_as_many

_CODE: Final = "shape-mismatch"


@after(_CODE, "reshape", "view")
def of_other_number(call: AbstractCall, result: Value) -> Value:
    """Reports a reshape that works only if a size is 1 by which the numbers of elements differ."""
    given = call.args[0] if call.args else None
    if not isinstance(given, TensorSpec) or not isinstance(result, TensorSpec) or not given.rank or not result.rank:
        return result
    if given.dtype is not result.dtype:  # x.view(torch.uint8)
        return result
    factor = times_as_many(tuple(given.dims), tuple(result.dims))
    if factor is not None and not _may_be_one(call.run, factor, given):
        call.run.report(
            _CODE,
            call.node,
            f"{call.name}: cannot arrange {given.shape} as {result.shape} unless {factor.size} is 1",
            partial(conflict_notes, call.run, call.node, call.name, (given,), {}),
        )
    return result


def _may_be_one(run: Run, factor: Multiple, given: TensorSpec) -> bool:
    """Whether the size by which the numbers of elements differ may be that of a dimension with one item."""
    if same(factor.size, 1) is False:
        return False
    if has_unnamed(factor.size):
        return True
    if not factor.of_result:
        is_inside = factor.size in given.dims[1:-1]  # the last one may be the only output of a layer
        return not is_inside or not any(factor.size in _chosen(frame) for frame in run.outward())
    return any(map(partial(_is_dimension, factor.size), run.outward()))


def _is_dimension(size: Size, frame: Frame) -> bool:
    """Whether a variable holds a tensor with such a dimension, and no argument or field is the size."""
    if size in _chosen(frame):
        return False
    values = frame.names.fields.values()
    return any(isinstance(one, TensorSpec) and size in (*one.shape.head, *one.shape.tail) for one in values)


def _chosen(frame: Frame) -> list[Dim]:
    """The sizes that a caller or the user of an object chooses: arguments, and fields of objects."""
    values = frame.names.fields.values()
    fields = [field for value in values if isinstance(value, Instance) for field in value.fields.values()]
    sizes = (one.known_size if type(one) is SymbolicArgument else one for one in (*_arguments(frame), *fields))
    return [one for one in sizes if isinstance(one, Dim)]


def _arguments(frame: Frame) -> Iterator[Value]:
    """What the parameters of a function hold."""
    spec = getattr(frame.function, "args", None)
    return (frame.names.fields.get(one.name) for one in (parameters_of(spec) if spec is not None else ()))
