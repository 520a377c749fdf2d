"""`x.squeeze()` of a batch, in source: reported if a later operator needs the batch dimension."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from shapecheck.conditions import squeeze_batch as rule
from shapecheck.diagnostics import Note
from shapecheck.ops import Trait
from shapecheck.spec import Size, TensorSpec
from shapecheck.spec.dim import variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.hooks import AbstractCall, after, before, returned
from shapecheck.static.engine.places import Place, note_at
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import forward_frame, owner, report_at


class _Squeeze(NamedTuple):
    """Where a squeeze may have removed the batch dimension, and the finding."""

    place: Place
    found: rule.LostBatch


@after(rule.CODE, *rule.OPERATORS)
def squeezed(call: AbstractCall, result: Value) -> Value:
    """Marks a result that may have lost the batch dimension."""
    input = call.argument(0, "input")
    if len(call.args) + len(call.kwargs) > 1 or not isinstance(input, TensorSpec) or not isinstance(result, TensorSpec):
        return result
    if input.shape.run is not None:
        found = _of_any_rank(call.run, input)
    else:
        found = rule.find(input.shape, of_one_run=False)
        found = found if found is not None and _is_batch(call.run, input.shape.dims[0]) else None
    if found is None:
        return result
    return _marked(call.run, result, _Squeeze(Place(call.run.loaded, call.node), found))


def _of_any_rank(run: Run, input: TensorSpec) -> rule.LostBatch | None:
    """The same for `(..., 1)`, whose leading dimensions are those of a tensor that `forward` receives, and batches."""
    shape = input.shape
    axes = tuple(axis for axis in range(-len(shape.tail), 0) if shape.tail[axis] == 1)
    frame = forward_frame(run)
    if not axes or shape.head or frame is None:
        return None
    return rule.LostBatch(shape, axes) if any(one.shape.run is shape.run for one in _parameters(frame)) else None


def _is_batch(run: Run, size: Size) -> bool:
    """Whether a size depends on the first size of a tensor that the outermost function receives.

    The first dimension of an item, of a window or of an unbatched input is no batch dimension.
    """
    for frame in reversed(list(run.outward())):
        batches = [variables(one.shape.dims[0]) for one in _parameters(frame) if one.rank]
        if batches:
            return not variables(size).isdisjoint(frozenset().union(*batches))
    return False


def _parameters(frame: Frame) -> Iterator[TensorSpec]:
    """The tensors that the parameters of a function hold, also those in tuples and lists."""
    spec = getattr(frame.function, "args", None)
    for name in () if spec is None else (one.name for one in parameters_of(spec)):
        value = frame.names.fields.get(name)
        items = value.items if isinstance(value, ListValue) else value if type(value) is tuple else (value,)
        yield from (one for one in items if isinstance(one, TensorSpec))


@after(rule.CODE, Trait.KEEPS_AXES)
def kept(call: AbstractCall, result: Value) -> Value:
    """Passes the mark on to a result with the same dimensions."""
    mark = call.run.metadata(call.args[0], rule.CODE) if call.args else None
    return result if mark is None or not isinstance(result, TensorSpec) else _marked(call.run, result, mark)


@before(rule.CODE, Trait.BATCH_FIRST)
def used(call: AbstractCall) -> None:
    """Reports the squeeze when an operator needs the batch dimension."""
    for one in call.args:
        for value in one if type(one) is tuple else (one,):
            _report(call.run, call.node, value)


@returned(rule.CODE, "forward")
def returned_from_forward(run: Run, node: ast.AST, value: Value) -> None:
    """Reports the squeeze when a module returns its result."""
    if owner(run.frame) is not None:
        for one in value if type(value) is tuple else (value,):
            _report(run, node, one)


def _marked(run: Run, value: TensorSpec, mark: _Squeeze) -> TensorSpec:
    """A copy of the tensor with the mark, so that the same specification elsewhere has none."""
    own = value.with_dtype(value.dtype)
    run.attach(own, rule.CODE, mark)
    return own


def _report(run: Run, node: ast.AST, value: Value) -> None:
    mark = run.metadata(value, rule.CODE)
    if isinstance(mark, _Squeeze):
        report_at(run, mark.place, node, rule.CODE, mark.found.message, partial(_notes, mark))


def _notes(mark: _Squeeze) -> list[Note]:
    return [note_at(mark.place.loaded, mark.place.node, mark.found.explanation)]
